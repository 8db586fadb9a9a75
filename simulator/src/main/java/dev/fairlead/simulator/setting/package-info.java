/** Scenarios as people write them. */
@NullMarked
package dev.fairlead.simulator.setting;

import org.jspecify.annotations.NullMarked;
