/** The settings of decoders and encoders. Values only, the same in parent and worker. */
@NullMarked
package dev.fairlead.media.settings;

import org.jspecify.annotations.NullMarked;
