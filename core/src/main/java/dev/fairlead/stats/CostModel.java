package dev.fairlead.stats;

import dev.fairlead.device.DeviceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learned seconds per unit of size for each pair of device and kind of work. Thread-safe.
 *
 * <p>An estimate is the decayed quotient of seconds and size. It counts as known after {@link
 * #SAMPLES_TO_TRUST} samples; until then a caller falls back to what it knows otherwise. The model
 * can be written and read as a small text file, so that a restart begins calibrated; a line that
 * cannot be read is an error that names the line.
 */
public final class CostModel {
  static final int SAMPLES_TO_TRUST = 3;
  private static final double MEMORY = 0.95;
  private static final String HEADER = "fairlead-cost-model 1";

  private record Key(DeviceId device, String kind) {}

  private record Estimate(double seconds, double size, long samples) {
    Estimate plus(double moreSeconds, double moreSize) {
      return new Estimate(seconds * MEMORY + moreSeconds, size * MEMORY + moreSize, samples + 1);
    }
  }

  private final ConcurrentHashMap<Key, Estimate> estimates = new ConcurrentHashMap<>();

  public void record(DeviceId device, String kind, double size, double seconds) {
    if (!(seconds > 0) || !(size > 0) || Double.isInfinite(seconds) || Double.isInfinite(size)) {
      return;
    }
    estimates.merge(
        new Key(device, kind),
        new Estimate(seconds, size, 1),
        (known, fresh) -> known.plus(fresh.seconds, fresh.size));
  }

  /** Predicted seconds, NaN while the pair is not calibrated. */
  public double seconds(DeviceId device, String kind, double size) {
    Estimate estimate = estimates.get(new Key(device, kind));
    return estimate == null || estimate.samples < SAMPLES_TO_TRUST
        ? Double.NaN
        : size * estimate.seconds / estimate.size;
  }

  /**
   * Writes the model beside the target and moves it there, so that a reader sees all or nothing.
   */
  public void write(Path file) {
    var lines = new TreeMap<String, String>();
    estimates.forEach((key, estimate) ->
        lines.put(
            key.device + "\t" + key.kind,
            "%s\t%s\t%s\t%s\t%d"
                .formatted(
                    key.device,
                    escaped(key.kind),
                    estimate.seconds,
                    estimate.size,
                    estimate.samples)));
    try {
      Path beside = file.resolveSibling(file.getFileName() + ".tmp");
      Files.writeString(beside, HEADER + "\n" + String.join("\n", lines.values()) + "\n");
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new UncheckedIOException("The cost model cannot be written to " + file, failure);
    }
  }

  public static CostModel read(Path file) {
    CostModel model = new CostModel();
    try {
      List<String> lines = Files.readAllLines(file);
      if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
        throw new IllegalArgumentException(
            "%s line 1: not a cost model (\"%s\" expected); delete it to start afresh"
                .formatted(file, HEADER));
      }
      for (int line = 1; line < lines.size(); line++) {
        if (!lines.get(line).isBlank()) {
          model.readLine(file, line + 1, lines.get(line).split("\t", -1));
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("The cost model cannot be read from " + file, failure);
    }
    return model;
  }

  private void readLine(Path file, int line, String[] fields) {
    try {
      if (fields.length != 5) {
        throw new IllegalArgumentException(fields.length + " fields where 5 belong");
      }
      Estimate estimate =
          new Estimate(
              Double.parseDouble(fields[2]),
              Double.parseDouble(fields[3]),
              Long.parseLong(fields[4]));
      if (!(estimate.seconds > 0 && estimate.seconds < Double.POSITIVE_INFINITY)
          || !(estimate.size > 0 && estimate.size < Double.POSITIVE_INFINITY)
          || estimate.samples < 1) {
        throw new IllegalArgumentException("figures that are not positive");
      }
      estimates.put(new Key(DeviceId.of(fields[0]), fields[1].translateEscapes()), estimate);
    } catch (IllegalArgumentException bad) {
      throw new IllegalArgumentException(
          "%s line %d: %s; delete the file to start afresh".formatted(file, line, bad.getMessage()),
          bad);
    }
  }

  private static String escaped(String kind) {
    return kind.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }
}
