/** What survives a crash: samples on disk, the journal, the lock on an output. */
@NullMarked
package dev.fairlead.media.store;

import org.jspecify.annotations.NullMarked;
