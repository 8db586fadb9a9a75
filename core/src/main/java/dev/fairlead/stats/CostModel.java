package dev.fairlead.stats;

import dev.fairlead.device.DeviceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Learned seconds for each pair of device and kind of work, by size. Thread-safe.
 *
 * <p>Each pair has a {@link CostCurve}. It counts as known after {@link #SAMPLES_TO_TRUST} samples;
 * until then a caller falls back to what it knows otherwise. The model can be written and read as a
 * small text file, so that a restart begins calibrated; a line that cannot be read is an error that
 * names the line.
 *
 * <p>A model does not grow without limit where kinds have ids in them, nor does its file: see
 * {@link #MOST_CURVES}.
 */
public final class CostModel {
  static final int SAMPLES_TO_TRUST = 3;

  /**
   * Curves that a model keeps, unless they are of {@link #LEAST_KINDS} kinds or fewer: beyond that
   * the kinds that were not used for longest are forgotten.
   */
  public static final int MOST_CURVES = 10_000;

  /** Kinds that a model keeps however many devices it knows. */
  public static final int LEAST_KINDS = 100;

  private static final String HEADER = "fairlead-cost-model 2";

  /** A pair and what is known of it. */
  public record Entry(DeviceId device, String kind, CostCurve curve) {}

  private final CostKinds kinds = new CostKinds();

  public void record(DeviceId device, String kind, double size, double seconds) {
    curve(device, kind).record(size, seconds);
  }

  /** Predicted seconds, NaN while the pair is not calibrated. */
  public double seconds(DeviceId device, String kind, double size) {
    CostCurve curve = kinds.find(device, kind);
    return curve == null ? Double.NaN : curve.seconds(size);
  }

  /**
   * The curve of a pair, which goes on learning until its kind is forgotten; keep it where it is
   * asked often.
   */
  public CostCurve curve(DeviceId device, String kind) {
    CostCurve curve = kinds.find(device, kind);
    return curve == null ? kinds.add(device, kind, new CostCurve()) : curve;
  }

  /** Knows nothing of a device any more. */
  public void forget(DeviceId device) {
    kinds.remove(device);
  }

  /** Takes over all that another model knows of a device. */
  public void adopt(DeviceId device, CostModel other) {
    forget(device);
    other.kinds.forEach((owner, kind, curve) -> {
      if (owner.equals(device)) {
        kinds.add(device, kind, curve);
      }
    });
  }

  /** All that has at least one sample, by device and kind. */
  public List<Entry> entries() {
    TreeMap<String, Entry> sorted = new TreeMap<>();
    kinds.forEach((device, kind, curve) -> {
      if (curve.samples() > 0) {
        sorted.put(device + "\t" + kind, new Entry(device, kind, curve));
      }
    });
    return List.copyOf(sorted.values());
  }

  /**
   * Writes the model beside the target and moves it there, so that a reader sees all or nothing.
   */
  public void write(Path file) {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (Entry entry : entries()) {
      lines.add(entry.device + "\t" + escaped(entry.kind) + "\t" + entry.curve.toFields());
    }
    try {
      // Under a name of its own: other processes may be writing the same file.
      Path beside =
          Files.createTempFile(
              file.toAbsolutePath().getParent(), String.valueOf(file.getFileName()), ".tmp");
      try {
        Files.writeString(beside, String.join("\n", lines) + "\n");
        Files.move(
            beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(beside);
      }
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
      CostCurve curve = CostCurve.of(fields, 2);
      kinds.add(DeviceId.of(fields[0]), fields[1].translateEscapes(), curve);
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
