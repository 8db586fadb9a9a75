/** Records that change: logs of entries, each created once, behind four verbs. */
@NullMarked
package dev.fairlead.media.records;

import org.jspecify.annotations.NullMarked;
