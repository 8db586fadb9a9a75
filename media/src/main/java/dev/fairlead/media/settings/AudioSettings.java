package dev.fairlead.media.settings;

import dev.fairlead.media.plan.AudioPlan;
import java.nio.file.Path;

/**
 * How one audio track of a source is to be kept.
 *
 * @param from seconds of the source at which the output begins
 * @param to seconds of the source at which it ends
 */
public record AudioSettings(Path path, AudioPlan plan, double from, double to) {}
