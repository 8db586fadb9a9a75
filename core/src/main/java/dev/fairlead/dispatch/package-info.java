/** Running work on a pool: once, later, in batches, over index ranges. */
@NullMarked
package dev.fairlead.dispatch;

import org.jspecify.annotations.NullMarked;
