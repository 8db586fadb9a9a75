/** GPUs of Intel and AMD as Linux lists them: what their encoders are reached through. */
@NullMarked
package dev.fairlead.drm;

import org.jspecify.annotations.NullMarked;
