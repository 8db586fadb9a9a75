/** Half-open index ranges, the splitters that cut them into units for devices, and cursors. */
@NullMarked
package dev.fairlead.range;

import org.jspecify.annotations.NullMarked;
