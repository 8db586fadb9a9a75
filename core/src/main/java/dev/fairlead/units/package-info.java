/** The unit queue: which of the waiting units a free device takes, and what becomes of each. */
@NullMarked
package dev.fairlead.units;

import org.jspecify.annotations.NullMarked;
