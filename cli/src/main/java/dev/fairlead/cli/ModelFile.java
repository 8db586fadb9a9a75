package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.stats.CostModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file in which learned costs are kept from run to run. Lanes that were slowed down for a
 * rehearsal are not remembered: they have the ids of full ones.
 */
record ModelFile(Path path) {
  private static final String NONE = "none";

  /** The file that is asked for; empty for none. */
  static Optional<ModelFile> of(@Nullable String asked) {
    if (asked == null) {
      return Optional.of(new ModelFile(StateDirectory.file("costs", "")));
    }
    return asked.equals(NONE) ? Optional.empty() : Optional.of(new ModelFile(Path.of(asked)));
  }

  /**
   * What is known of these devices; nothing if there is no file yet, or none that can be read.
   *
   * @param troubles told of what is wrong with the file: no reason not to work
   */
  CostModel open(List<Device> devices, Consumer<String> troubles) {
    CostModel model;
    try {
      model = read();
    } catch (IllegalArgumentException | UncheckedIOException broken) {
      troubles.accept("Learned costs are not used: " + Failures.describe(broken));
      return new CostModel();
    }
    for (Device device : devices) {
      if (isSlowed(device)) {
        model.forget(device.id());
      }
    }
    return model;
  }

  /** Everything that is in the file; nothing if there is none. */
  CostModel read() {
    return Files.exists(path) ? CostModel.read(path) : new CostModel();
  }

  /**
   * Writes what was learned of these devices; of others, what is there stays.
   *
   * @param troubles told why that cannot be; what was worked for is done all the same
   */
  void save(CostModel learned, List<Device> devices, Consumer<String> troubles) {
    try {
      save(learned, devices);
    } catch (IllegalArgumentException | UncheckedIOException failure) {
      troubles.accept("Learned costs are not kept: " + Failures.describe(failure));
    }
  }

  private void save(CostModel learned, List<Device> devices) {
    CostModel all = read();
    for (Device device : devices) {
      if (!isSlowed(device)) {
        all.adopt(device.id(), learned);
      }
    }
    Path directory = path.toAbsolutePath().getParent();
    try {
      if (directory != null) {
        Files.createDirectories(directory);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    all.write(path);
  }

  private static boolean isSlowed(Device device) {
    return device.kind().equals(DeviceKind.CPU) && device.weight() != 1;
  }
}
