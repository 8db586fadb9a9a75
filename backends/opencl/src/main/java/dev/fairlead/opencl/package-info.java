/** OpenCL devices, and parts of them, as devices of the pool. */
@NullMarked
package dev.fairlead.opencl;

import org.jspecify.annotations.NullMarked;
