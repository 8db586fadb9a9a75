/** Time, rates and counts: what has been measured of a device. */
@NullMarked
package dev.fairlead.stats;

import org.jspecify.annotations.NullMarked;
