package dev.fairlead.media.job;

/**
 * How encoders are tried before a job.
 *
 * @param unable devices that are known not to encode something
 * @param frames where their pictures are
 */
record TrialRules(Unable unable, CardFrames frames) {}
