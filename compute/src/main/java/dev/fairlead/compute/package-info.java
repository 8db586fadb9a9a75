/**
 * Computing on leased devices: buffers, programs, kernels, streams and events over any driver.
 * Everything belongs to the context that it was made in, and is refused when that is gone.
 */
@NullMarked
package dev.fairlead.compute;

import org.jspecify.annotations.NullMarked;
