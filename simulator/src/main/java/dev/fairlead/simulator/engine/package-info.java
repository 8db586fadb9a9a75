/** Virtual time: events, devices that run work, work in flight. */
@NullMarked
package dev.fairlead.simulator.engine;

import org.jspecify.annotations.NullMarked;
