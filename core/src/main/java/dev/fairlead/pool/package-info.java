/**
 * The pool: devices with their contexts and threads, leases on them, health, load, and the room
 * where demands wait.
 */
@NullMarked
package dev.fairlead.pool;

import org.jspecify.annotations.NullMarked;
