/** Work that comes over time: drawn from a seed, or recorded. */
@NullMarked
package dev.fairlead.simulator.workload;

import org.jspecify.annotations.NullMarked;
