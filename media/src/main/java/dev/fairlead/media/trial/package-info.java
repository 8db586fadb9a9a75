/**
 * What a device is put to the proof with: encoders, sessions, decoders, chunks of many encoders.
 */
@NullMarked
package dev.fairlead.media.trial;

import org.jspecify.annotations.NullMarked;
