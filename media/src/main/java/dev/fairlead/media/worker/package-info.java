/** The worker process: does what its parent commands, with codecs and frames. */
@NullMarked
package dev.fairlead.media.worker;

import org.jspecify.annotations.NullMarked;
