package dev.fairlead.media.prepare;

import dev.fairlead.media.choice.CardFrames;

/**
 * How encoders are tried before a job.
 *
 * @param unable devices that are known not to encode something
 * @param frames where their pictures are
 */
public record TrialRules(Unable unable, CardFrames frames) {}
