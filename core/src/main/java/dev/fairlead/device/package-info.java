/** Devices: what they are, how they are found, and the contexts that backends open on them. */
@NullMarked
package dev.fairlead.device;

import org.jspecify.annotations.NullMarked;
