/** The production policies at work on virtual devices. */
@NullMarked
package dev.fairlead.simulator.rule;

import org.jspecify.annotations.NullMarked;
