package dev.fairlead.media.plan;

/**
 * What a job may use of memory, by its parts.
 *
 * @param processes both processes without any media
 * @param decoders of all its pumps
 * @param pictures of chunks that are decoded
 * @param encoders of all devices, with their scalers; jobs that run together share them
 */
public record MemoryParts(long processes, long decoders, long pictures, long encoders, long sound) {
  public long sum() {
    return processes + decoders + pictures + encoders + sound;
  }
}
