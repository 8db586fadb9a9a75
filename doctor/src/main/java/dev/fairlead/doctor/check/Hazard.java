package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.Discovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * A program that does on a device what no program should, in a process that may be lost. It writes
 * what it sees into a file, a line each.
 */
public final class Hazard {
  static final String WILD = "wild";
  static final String ENDLESS = "endless";
  static final String LAUNCHED = "launched";
  static final String ERROR = "error ";
  static final String RESET = "reset ";
  static final String OTHER = "other ";
  static final String WELL = "well";

  private final Path file;

  private Hazard(Path file) {
    this.file = file;
  }

  /** Takes what to do, where to write, and the label of a device; perhaps that of another one. */
  public static void main(String[] arguments) {
    Hazard hazard = new Hazard(Path.of(arguments[1]));
    Discovery.Found device = Discovery.find(arguments[2]).found().getFirst();
    if (arguments[0].equals(WILD)) {
      hazard.goAstray(
          device,
          arguments.length > 3
              ? Optional.of(Discovery.find(arguments[3]).found().getFirst())
              : Optional.empty());
    } else {
      hazard.runForEver(device);
    }
    Runtime.getRuntime().halt(0);
  }

  private void goAstray(Discovery.Found device, Optional<Discovery.Found> other) {
    ComputeContext context = open(device);
    try {
      Kernels.goAstray(context);
    } catch (DeviceException refused) {
      say(ERROR + refused.getMessage());
    }
    say(RESET + again(context, device));
    other.ifPresent(another -> say(OTHER + computes(another)));
  }

  private static String again(ComputeContext context, Discovery.Found device) {
    try {
      context.close();
    } catch (DeviceException unclean) {
      // What is asked is whether the next one computes.
    }
    return computes(device);
  }

  /** Whether the device computes in this process: that it does, or why not. */
  private static String computes(Discovery.Found device) {
    try (ComputeContext context = open(device)) {
      return Kernels.firstMistake(context).isEmpty() ? WELL : "its results are wrong";
    } catch (DeviceException broken) {
      return String.valueOf(broken.getMessage());
    }
  }

  private void runForEver(Discovery.Found device) {
    try {
      Kernels.runForEver(open(device), () -> say(LAUNCHED));
    } catch (DeviceException ended) {
      say(ERROR + ended.getMessage());
    }
  }

  private static ComputeContext open(Discovery.Found device) {
    var context = device.provider().open(device.device());
    context.bind();
    return context.as(ComputeContext.class, device.device());
  }

  private void say(String line) {
    try {
      Files.write(file, List.of(line), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
