package dev.fairlead.opencl;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.Fault;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/** Loads the drivers into this process, without those that are known to be broken, and opens. */
final class ClOpening {
  private static final int PARTITION_EQUALLY = 0x1086;

  private ClOpening() {}

  /** One at a time: drivers set themselves up when first asked, and not all do so safely. */
  static synchronized ComputeDriver open(Icds.Look look, ClPart part) {
    Cl cl = load(look);
    ClDevices devices = new ClDevices(cl);
    List<Long> platforms = devices.platforms();
    ClDevice whole = part.whole();
    List<Long> siblings =
        whole.platform() < platforms.size()
            ? devices.devices(platforms.get(whole.platform()))
            : List.of();
    if (whole.index() >= siblings.size()
        || !devices.name(siblings.get(whole.index())).equals(whole.name())) {
      throw new DeviceException(
          Fault.LOST, whole.name() + " is no longer where it was found: look for devices again");
    }
    long device = siblings.get(whole.index());
    long platform = platforms.get(whole.platform());
    return part.of() == 1
        ? ClDriver.open(cl, new ClDriver.Target(platform, device, false))
        : ClDriver.open(cl, new ClDriver.Target(platform, divide(cl, device, part), true));
  }

  private static Cl load(Icds.Look look) {
    try {
      Path only = look.excluded() ? Icds.folderOf(look.usable()) : null;
      if (only != null) {
        restrict(only);
      }
      Binding<Cl> binding = Cl.binding();
      if (binding instanceof Binding.Bound<Cl> bound) {
        // The loader reads the registrations when it is first asked.
        new ClDevices(bound.functions()).platforms();
        if (only != null) {
          Icds.delete(only);
        }
        return bound.functions();
      }
      throw new DeviceException(Fault.LOST, ((Binding.Unbound<Cl>) binding).reason());
    } catch (IOException failure) {
      throw new DeviceException(
          Fault.DEVICE, "The drivers that work could not be set apart: " + failure, failure);
    }
  }

  /** Keeps broken drivers out of this process; the loader looks at the environment of C. */
  private static void restrict(Path only) {
    record Functions(MethodHandle setenv) {}
    Binding<Functions> binding =
        Binding.of(
            List.of("libc.so.6"),
            symbols ->
                new Functions(symbols.function("setenv", C.INT, C.POINTER, C.POINTER, C.INT)));
    if (binding instanceof Binding.Bound<Functions> libc) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment name = arena.allocateFrom(Icds.VARIABLE);
        MemorySegment value = arena.allocateFrom(only.toString());
        if (Downcall.number(() -> (int) libc.functions().setenv().invokeExact(name, value, 1))
            == 0) {
          return;
        }
      }
    }
    throw new DeviceException(Fault.DEVICE, "A broken driver could not be kept out");
  }

  /** The part of a device, as a device of its own; its siblings are let go. */
  private static long divide(Cl cl, long device, ClPart part) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment properties =
          arena.allocateFrom(ValueLayout.JAVA_LONG, PARTITION_EQUALLY, part.computeUnits(), 0);
      MemorySegment number = arena.allocate(C.INT);
      ClCodes.CALLS.check(
          "clCreateSubDevices",
          Downcall.number(() ->
              (int)
                  cl.createSubDevices()
                      .invokeExact(device, properties, 0, MemorySegment.NULL, number)));
      int count = number.get(C.INT, 0);
      MemorySegment parts = arena.allocate(C.LONG, count);
      ClCodes.CALLS.check(
          "clCreateSubDevices",
          Downcall.number(() ->
              (int)
                  cl.createSubDevices()
                      .invokeExact(device, properties, count, parts, MemorySegment.NULL)));
      for (int each = 0; each < count; each++) {
        long sibling = parts.getAtIndex(C.LONG, each);
        if (each != part.number()) {
          ClCodes.CALLS.check(
              "clReleaseDevice",
              Downcall.number(() -> (int) cl.releaseDevice().invokeExact(sibling)));
        }
      }
      return parts.getAtIndex(C.LONG, part.number());
    }
  }
}
