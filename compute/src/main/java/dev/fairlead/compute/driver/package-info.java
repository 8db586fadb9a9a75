/**
 * What a driver does for the compute API, and the values that go between them. Handles are the
 * driver's own, as numbers; lifetimes, bounds and arguments were checked before a driver is asked.
 */
@NullMarked
package dev.fairlead.compute.driver;

import org.jspecify.annotations.NullMarked;
