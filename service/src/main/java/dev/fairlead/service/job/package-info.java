/** Jobs, as the API takes, shows and changes them. */
@NullMarked
package dev.fairlead.service.job;

import org.jspecify.annotations.NullMarked;
