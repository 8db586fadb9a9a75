/** Starts worker processes, confines them, asks them, and starts others when they die. */
@NullMarked
package dev.fairlead.media.supervise;

import org.jspecify.annotations.NullMarked;
