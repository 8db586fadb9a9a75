/** CUDA devices as devices of the pool, where the machine has their driver. */
@NullMarked
package dev.fairlead.cuda;

import org.jspecify.annotations.NullMarked;
