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
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learned seconds for each pair of device and kind of work, by size. Thread-safe.
 *
 * <p>Each pair has a {@link CostCurve}. It counts as known after {@link #SAMPLES_TO_TRUST} samples;
 * until then a caller falls back to what it knows otherwise. The model can be written and read as a
 * small text file, so that a restart begins calibrated; a line that cannot be read is an error that
 * names the line.
 */
public final class CostModel {
  static final int SAMPLES_TO_TRUST = 3;
  private static final String HEADER = "fairlead-cost-model 2";

  private record Key(DeviceId device, String kind) {}

  /** A pair and what is known of it. */
  public record Entry(DeviceId device, String kind, CostCurve curve) {}

  private final ConcurrentHashMap<Key, CostCurve> curves = new ConcurrentHashMap<>();

  public void record(DeviceId device, String kind, double size, double seconds) {
    curve(device, kind).record(size, seconds);
  }

  /** Predicted seconds, NaN while the pair is not calibrated. */
  public double seconds(DeviceId device, String kind, double size) {
    CostCurve curve = curves.get(new Key(device, kind));
    return curve == null ? Double.NaN : curve.seconds(size);
  }

  /** The curve of a pair, which goes on learning; keep it where it is asked often. */
  public CostCurve curve(DeviceId device, String kind) {
    return curves.computeIfAbsent(new Key(device, kind), _ -> new CostCurve());
  }

  /** Knows nothing of a device any more. */
  public void forget(DeviceId device) {
    curves.keySet().removeIf(key -> key.device.equals(device));
  }

  /** Takes over all that another model knows of a device. */
  public void adopt(DeviceId device, CostModel other) {
    forget(device);
    other.curves.forEach((key, curve) -> {
      if (key.device.equals(device)) {
        curves.put(key, curve);
      }
    });
  }

  /** All that has at least one sample, by device and kind. */
  public List<Entry> entries() {
    TreeMap<String, Entry> sorted = new TreeMap<>();
    curves.forEach((key, curve) -> {
      if (curve.samples() > 0) {
        sorted.put(key.device + "\t" + key.kind, new Entry(key.device, key.kind, curve));
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
      curves.put(new Key(DeviceId.of(fields[0]), fields[1].translateEscapes()), curve);
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
