/** What happens in a pool, and the listeners that are notified of it. */
@NullMarked
package dev.fairlead.event;

import org.jspecify.annotations.NullMarked;
