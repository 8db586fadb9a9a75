/** The devices, as the API shows and changes them. */
@NullMarked
package dev.fairlead.service.device;

import org.jspecify.annotations.NullMarked;
