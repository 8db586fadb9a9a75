package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.media.encode.EncoderKind;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.DeviceTrials;
import dev.fairlead.media.job.Errands;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.LocalTranscodes;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether a ladder of two minutes comes to its end on these devices, though a worker is killed. */
record LadderCheck(String id) implements Check {
  private static final int SECONDS = 120;
  private static final String KILL = "kill@5s";

  @Override
  public boolean disturbs() {
    return true;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(30);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    Optional<VideoCodec> codec = codec(subject);
    if (codec.isEmpty()) {
      return Finding.skip("no encoder of these devices works");
    }
    subject.forgetTrials();
    Path folder = Files.createTempDirectory("fairlead-ladder");
    try {
      Path clip = folder.resolve("clip.mp4");
      Errands.makeClip(clip, SECONDS, 1280, 720);
      return transcode(subject, codec.get(), clip, folder.resolve("out"));
    } finally {
      delete(folder);
    }
  }

  private static Finding transcode(Subject subject, VideoCodec codec, Path clip, Path output)
      throws InterruptedException {
    long begun = System.nanoTime();
    // As a transcode has it: contexts are the worker's, and slots those of the encoders.
    Discovery encoding = new Discovery(subject.found(), List.of()).on(Engine.ENCODE);
    try (DevicePool pool = DevicePool.open(encoding, PoolOptions.usual().withContextsOnUse())) {
      JobOptions options =
          new JobOptions(
              pool, ServicePolicies.anyRung(), ChaosPlan.parse(KILL), Duration.ofMinutes(2));
      TranscodeResult result =
          new LocalTranscodes(options)
              .submit(TranscodeRequest.of(clip, output).withCodec(codec), event -> {})
              .await();
      double seconds = (System.nanoTime() - begun) / 1e9;
      return Finding.pass(
          String.format(
              Locale.ROOT,
              "%d s of video as %s in %.0f s, with %d worker killed on the way",
              SECONDS,
              codec,
              seconds,
              result.workerRestarts()));
    }
  }

  /** A codec that a device encodes: that of most use first. */
  private static Optional<VideoCodec> codec(Subject subject) throws Exception {
    for (VideoCodec codec : VideoCodec.values()) {
      for (Device device : subject.devices()) {
        for (EncoderKind kind : DeviceTrials.encoders(device)) {
          DeviceTrials.Order order = new DeviceTrials.Order(kind, 640, 360, 8);
          if (kind.codec().equalsIgnoreCase(codec.name())
              && SessionsCheck.works(subject, device, order)) {
            return Optional.of(codec);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
