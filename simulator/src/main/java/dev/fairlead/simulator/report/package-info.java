/** What came of a simulation. */
@NullMarked
package dev.fairlead.simulator.report;

import org.jspecify.annotations.NullMarked;
