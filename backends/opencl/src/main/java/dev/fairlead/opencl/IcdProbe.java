package dev.fairlead.opencl;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.nativecode.Binding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that loads the drivers of this machine, asks them for their devices, and writes these
 * into a file. It is a process of its own, so that a driver that crashes or hangs takes nobody else
 * with it.
 */
final class IcdProbe {
  static final String DEVICE = "device ";
  static final String PROBLEM = "problem ";
  static final String END = "end";

  private IcdProbe() {}

  /**
   * Runs it.
   *
   * @param arguments where to write, then the registrations of drivers to look at
   */
  public static void main(String[] arguments) throws IOException {
    List<String> lines = new ArrayList<>();
    Arrays.stream(arguments).skip(1).forEach(icd -> check(Path.of(icd), lines));
    switch (Cl.binding()) {
      case Binding.Bound<Cl> bound -> list(bound.functions(), lines);
      case Binding.Unbound<Cl> unbound -> lines.add(PROBLEM + unbound.reason());
    }
    lines.add(END);
    Files.write(Path.of(arguments[0]), lines);
  }

  /** The loader passes over a library that cannot be loaded, and does not say so. */
  private static void check(Path icd, List<String> lines) {
    try {
      String library = Files.readString(icd).strip();
      if (Binding.of(List.of(library), symbols -> true) instanceof Binding.Unbound<Boolean> not) {
        lines.add(PROBLEM + icd + ": " + not.reason());
      }
    } catch (IOException unreadable) {
      lines.add(PROBLEM + icd + ": " + unreadable);
    }
  }

  private static void list(Cl cl, List<String> lines) {
    try {
      new ClDevices(cl).all().forEach(device -> lines.add(DEVICE + device.toLine()));
    } catch (ComputeException refused) {
      lines.add(PROBLEM + refused.getMessage());
    }
  }
}
