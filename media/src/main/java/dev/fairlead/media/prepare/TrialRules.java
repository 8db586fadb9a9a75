package dev.fairlead.media.prepare;

import dev.fairlead.media.choice.CardFrames;
import dev.fairlead.pool.DevicePool;

/**
 * How encoders are tried before a job.
 *
 * @param unable devices that are known not to encode something
 * @param frames where their pictures are
 * @param trials what was found out before
 * @param pool whose devices they are
 * @param codecs the version of the libraries that workers load
 */
public record TrialRules(
    Unable unable, CardFrames frames, EncoderTrials trials, DevicePool pool, String codecs) {}
