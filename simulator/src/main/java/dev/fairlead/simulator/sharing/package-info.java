/** A range shared out to virtual devices by the production splitters and by work stealing. */
@NullMarked
package dev.fairlead.simulator.sharing;

import org.jspecify.annotations.NullMarked;
