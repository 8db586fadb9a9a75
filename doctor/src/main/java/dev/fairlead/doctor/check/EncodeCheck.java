package dev.fairlead.doctor.check;

import dev.fairlead.device.Device;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.codec.UnreadableHeaderException;
import dev.fairlead.media.codec.VideoSequence;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.TrialResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whether an encoder makes pictures that are decoded as they were, at one size and depth. */
public record EncodeCheck(EncoderKind kind, int width, int height, int depth) implements Check {
  /** How the ids of all such checks begin. */
  public static final String FAMILY = "encode.";

  public static final String CODEC = "codec";
  public static final String DEPTH = "depth";
  public static final String PROVEN = "proven";
  public static final String IMPOSSIBLE = "impossible";

  /** Below this, in decibels, a picture is another one, or its colours are others. */
  private static final double LEAST_LIKENESS = 25;

  /** How FFmpeg says that a card has no such encoder. */
  private static final Pattern ABSENT =
      Pattern.compile(
          "does(?:n't| not) support required NVENC features"
              + "|No usable encoding (?:profile|entrypoint)",
          Pattern.CASE_INSENSITIVE);

  @Override
  public String id() {
    return FAMILY + "%s.%dbit.%dp".formatted(kind, depth, height);
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(4);
  }

  @Override
  public Finding run(Subject subject) throws IOException, InterruptedException {
    return tried(subject).with(CODEC, kind.codec()).with(DEPTH, depth);
  }

  private Finding tried(Subject subject) throws IOException, InterruptedException {
    try {
      return run(subject.trials(), subject.device(), subject.effort().pictures());
    } catch (FailedException failed) {
      subject.forgetTrials();
      return refused(subject, String.valueOf(failed.getMessage()));
    }
  }

  private Finding run(DeviceTrials trials, Device device, int pictures)
      throws InterruptedException {
    DeviceTrials.Order order = new DeviceTrials.Order(kind, width, height, depth);
    TrialResult.Encoding seen = trials.encode(device, order, pictures);
    Finding finding = judge(seen, pictures);
    return finding.result() == Finding.Result.PASS
        ? finding.with(PROVEN, "true")
        : finding.with(IMPOSSIBLE, finding.detail());
  }

  /** What is wrong with what was seen, or the times that it took. */
  static Finding judge(TrialResult.Encoding seen, int pictures, int width, int height) {
    List<String> wrong = new ArrayList<>();
    if (seen.packets() != pictures) {
      wrong.add("%d pictures in, %d packets out".formatted(pictures, seen.packets()));
    }
    if (!seen.keyFirst()) {
      wrong.add("it does not begin with a key");
    }
    if (seen.decoded() != pictures) {
      wrong.add("%d of %d pictures could be decoded".formatted(seen.decoded(), pictures));
    }
    if (seen.width() != width || seen.height() != height) {
      wrong.add("%d×%d came out for %d×%d".formatted(seen.width(), seen.height(), width, height));
    } else if (seen.lumaDb() < LEAST_LIKENESS || seen.chromaDb() < LEAST_LIKENESS) {
      wrong.add(
          String.format(
              Locale.ROOT,
              "pictures came out as others (brightness %.0f dB, colours %.0f dB)",
              seen.lumaDb(),
              seen.chromaDb()));
    }
    if (!wrong.isEmpty()) {
      return Finding.fail(
          String.join("; ", wrong),
          "Do not use this encoder: choose another --codec, or update the driver");
    }
    return Finding.pass(
        String.format(
            Locale.ROOT,
            "%d pictures right (%.0f dB, colours %.0f dB); open %.0f ms, frame %.1f ms, close %.0f ms",
            pictures,
            seen.lumaDb(),
            seen.chromaDb(),
            seen.openMillis(),
            seen.frameMillis(),
            seen.closeMillis()));
  }

  private Finding judge(TrialResult.Encoding seen, int pictures) {
    Finding finding = judge(seen, pictures, width, height);
    return finding.result() == Finding.Result.PASS ? promised(seen).orElse(finding) : finding;
  }

  /** The size in the header is what a player goes by; some hardware writes its own there. */
  private Optional<Finding> promised(TrialResult.Encoding seen) {
    String remedy = "Do not use this encoder: choose another --codec, or update the driver";
    try {
      CodecConfig.Picture promise = DeviceTrials.promise(kind, seen.header(), seen.first());
      VideoSequence coded = promise.sequence();
      return coded.width() == width && coded.height() == height
          ? Optional.empty()
          : Optional.of(
              Finding.fail(
                  "its header says %d×%d for %d×%d"
                      .formatted(coded.width(), coded.height(), width, height),
                  remedy));
    } catch (UnreadableHeaderException strange) {
      return Optional.of(
          Finding.fail("its header cannot be read: " + strange.getMessage(), remedy));
    }
  }

  private Finding refused(Subject subject, String reason) {
    if (ABSENT.matcher(reason).find()) {
      return Finding.skip("this card has no such encoder")
          .with(
              IMPOSSIBLE,
              "the card has no encoder for %s of %d bits".formatted(kind.codec(), depth));
    }
    return Finding.fail(reason, Remedies.ofEncoder(kind, reason, subject.machine()));
  }
}
