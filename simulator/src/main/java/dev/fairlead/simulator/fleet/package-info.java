/** Devices that do not exist, what they can do, and what happens to them. */
@NullMarked
package dev.fairlead.simulator.fleet;

import org.jspecify.annotations.NullMarked;
