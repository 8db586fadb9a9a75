package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeListener.Event.Requeued;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Whether a ladder comes to its end on these devices though a worker is killed, and none of them
 * fails on the way, even if others do its work.
 */
record LadderCheck(String id) implements Check {
  /** When the second chunk of the first rung is begun. */
  private static final String KILL = "kill@1";

  /** What is said of chunks that were in the worker then. */
  private static final String KILLED = "worker process";

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
      Effort.Clip wanted = subject.effort().ladder();
      SourceTools.makeClip(clip, wanted.seconds(), wanted.height() * 16 / 9, wanted.height());
      return transcode(subject, codec.get(), clip, folder.resolve("out"));
    } finally {
      delete(folder);
    }
  }

  private static Finding transcode(Subject subject, VideoCodec codec, Path clip, Path output)
      throws InterruptedException {
    Map<String, String> failed = new ConcurrentHashMap<>();
    long begun = System.nanoTime();
    TranscodeResult result;
    // As a transcode has it: contexts are the worker's, and slots those of the encoders.
    Discovery encoding = new Discovery(subject.found(), List.of()).on(Engine.ENCODE);
    try (DevicePool pool = DevicePool.open(encoding, PoolOptions.usual().withContextsOnUse())) {
      JobOptions options =
          new JobOptions(
              pool, ServicePolicies.anyRung(), ChaosPlan.parse(KILL), Duration.ofMinutes(2));
      result =
          new LocalTranscodes(options)
              .submit(
                  TranscodeRequest.of(clip, output).withCodec(codec),
                  event -> {
                    if (event instanceof Requeued again && !again.reason().contains(KILLED)) {
                      failed.putIfAbsent(again.device().label(), again.reason());
                    }
                  })
              .await();
    }
    String made =
        String.format(
            Locale.ROOT,
            "%d s of video as %s in %.0f s with %d worker killed on the way; chunks: %s",
            subject.effort().ladder().seconds(),
            codec.name().toLowerCase(Locale.ROOT),
            (System.nanoTime() - begun) / 1e9,
            result.workerRestarts(),
            joined(result.devices(), each -> "%d by %s".formatted(each.chunks(), each.id())));
    return failed.isEmpty()
        ? Finding.pass(made)
        : Finding.fail(
            "%s; but %s"
                .formatted(
                    made,
                    joined(
                        failed.entrySet(),
                        each -> "%s failed: %s".formatted(each.getKey(), each.getValue()))),
            "Leave that device out (--devices), or update its driver; its other checks say more");
  }

  private static <T> String joined(Collection<T> all, Function<T, String> words) {
    return String.join(", ", all.stream().map(words).toList());
  }

  /** The codec that most devices encode, of those that most do the one of most use; lanes last. */
  private static Optional<VideoCodec> codec(Subject subject) throws Exception {
    Optional<VideoCodec> best = Optional.empty();
    int most = 0;
    for (VideoCodec codec : VideoCodec.values()) {
      int weight = 0;
      for (Device device : subject.devices()) {
        if (encodes(subject, device, codec)) {
          weight += device.isOnHostCores() ? 1 : subject.devices().size();
        }
      }
      if (weight > most) {
        most = weight;
        best = Optional.of(codec);
      }
    }
    return best;
  }

  private static boolean encodes(Subject subject, Device device, VideoCodec codec)
      throws Exception {
    for (EncoderKind kind : DeviceTrials.encoders(device)) {
      if (kind.codec().equalsIgnoreCase(codec.name())
          && SessionsCheck.works(subject, device, new DeviceTrials.Order(kind, 640, 360, 8))) {
        return true;
      }
    }
    return false;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
