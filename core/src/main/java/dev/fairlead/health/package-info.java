/** Whether a device can be trusted with work. */
@NullMarked
package dev.fairlead.health;

import org.jspecify.annotations.NullMarked;
