/**
 * How listeners are notified, each by a queue and a thread of its own, and how foreign code is
 * called. Internal.
 */
@NullMarked
package dev.fairlead.notify;

import org.jspecify.annotations.NullMarked;
