/**
 * Demands and the pure rules that place them: which device takes this work, and which waiting unit
 * a free device takes. Nothing here has a lock, a clock or a log.
 */
@NullMarked
package dev.fairlead.policy;

import org.jspecify.annotations.NullMarked;
