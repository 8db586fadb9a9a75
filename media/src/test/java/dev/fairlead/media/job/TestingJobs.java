package dev.fairlead.media.job;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Runs transcodes for tests, and looks at what they made. */
public final class TestingJobs {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestingJobs() {}

  /** Two small rungs at the fastest preset. */
  public static TranscodeRequest request(Path source, Path output) {
    return TranscodeRequest.of(source, output)
        .withLadder(LadderSpec.parse("320x180,160x90"))
        .withPreset(13);
  }

  public static TranscodeResult run(TranscodeRequest request, String devices) throws Exception {
    return run(request, devices, ChaosPlan.none(), PATIENCE, TranscodeListener.none());
  }

  public static TranscodeResult run(
      TranscodeRequest request,
      String devices,
      ChaosPlan chaos,
      Duration patience,
      TranscodeListener listener)
      throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find(devices))) {
      return new LocalTranscodes(new JobOptions(pool, ServicePolicies.anyRung(), chaos, patience))
          .submit(request, listener)
          .await();
    }
  }

  public static TranscodeResult run(
      TranscodeRequest request, String devices, ChaosPlan chaos, Pumps pumps) throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find(devices))) {
      return new LocalTranscodes(
              new JobOptions(pool, ServicePolicies.anyRung(), chaos, PATIENCE).withPumps(pumps))
          .submit(request, TranscodeListener.none())
          .await();
    }
  }

  /** The hash of every file that others read. */
  public static SortedMap<String, String> hashes(Path output)
      throws IOException, NoSuchAlgorithmException {
    SortedMap<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = output.relativize(file).toString();
        if (!name.startsWith(".fairlead")) {
          byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
          hashes.put(name, HexFormat.of().formatHex(hash));
        }
      }
    }
    return hashes;
  }

  /** When the pictures of a file are shown, in seconds, as its packets say. */
  public static List<Double> times(Path file) {
    String text =
        TestingFfmpeg.ffprobe(
            "-select_streams",
            "v:0",
            "-show_entries",
            "packet=pts_time",
            "-of",
            "csv=p=0",
            file.toString());
    return text.lines()
        .map(line -> line.replace(",", "").strip())
        .filter(line -> !line.isEmpty())
        .map(Double::valueOf)
        .sorted()
        .toList();
  }

  /** When decoding can begin, in seconds. */
  public static List<Double> keys(Path file) {
    String text =
        TestingFfmpeg.ffprobe(
            "-select_streams",
            "v:0",
            "-show_entries",
            "packet=pts_time,flags",
            "-of",
            "csv=p=0",
            file.toString());
    return text.lines()
        .map(line -> line.split(","))
        .filter(parts -> parts.length > 1 && parts[1].startsWith("K"))
        .map(parts -> Double.valueOf(parts[0]))
        .toList();
  }
}
