package dev.fairlead.cuda;

import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The CUDA driver of a machine: ready, or why it cannot be used. */
sealed interface CudaInstallation {
  /** The version from which on all functions in use are there: that of CUDA 11.4. */
  int OLDEST = 11_040;

  /** The driver is there and has been started. */
  record Ready(Cu cu, int version) implements CudaInstallation {}

  /** Why there are no devices. */
  sealed interface Unusable extends CudaInstallation {
    String reason();
  }

  /** There is no driver: the ordinary case, and not worth a word. */
  record NoLibrary(String reason) implements Unusable {}

  /** The library is there and cannot be loaded. */
  record BrokenLibrary(String reason) implements Unusable {}

  /** The library lacks a function. */
  record SymbolMissing(String library, String symbol) implements Unusable {
    @Override
    public String reason() {
      return library + " has no function " + symbol + ": the driver is damaged, or none of CUDA";
    }
  }

  /** The driver is of a version that lacks what is needed. */
  record TooOld(int version) implements Unusable {
    @Override
    public String reason() {
      return "the driver is too old: it is one of CUDA %s, and %s is needed"
          .formatted(text(version), text(OLDEST));
    }

    private static String text(int version) {
      return version / 1000 + "." + version % 1000 / 10;
    }
  }

  /** The driver works and has no device. */
  record NoDevice(String hides) implements Unusable {
    @Override
    public String reason() {
      return "the driver finds no device" + (hides.isEmpty() ? "" : " (" + hides + ")");
    }
  }

  /** The driver refuses to start, say because its kernel module is of another version. */
  record Refused(DriverError error) implements Unusable {
    @Override
    public String reason() {
      return error.toString();
    }
  }

  /** Loads the driver and starts it. */
  static CudaInstallation on(CudaHost host) {
    return switch (Binding.of(host.cudaLibraries(), Cu.Start::of)) {
      case Binding.Bound<Cu.Start>(String library, Cu.Start start) -> start(host, library, start);
      case Binding.Unbound<Cu.Start> unbound -> unusable(host, unbound);
    };
  }

  private static CudaInstallation unusable(CudaHost host, Binding.Unbound<?> unbound) {
    return switch (unbound) {
      case Binding.NoSymbol<?>(String library, String symbol) -> new SymbolMissing(library, symbol);
      case Binding.NoLibrary<?> none ->
          host.isMissing(none) ? new NoLibrary(none.reason()) : new BrokenLibrary(none.reason());
    };
  }

  private static CudaInstallation start(CudaHost host, String library, Cu.Start start) {
    int version = version(start);
    if (version < OLDEST) {
      return new TooOld(version);
    }
    return switch (Binding.of(List.of(library), Cu::of)) {
      case Binding.Bound<Cu>(String _, Cu cu) -> started(host, start, new Ready(cu, version));
      case Binding.Unbound<Cu> unbound -> unusable(host, unbound);
    };
  }

  /** The driver's version; zero where it does not tell, which only a damaged one does not. */
  private static int version(Cu.Start start) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(C.INT);
      int code = Downcall.number(() -> (int) start.driverGetVersion().invokeExact(version));
      return code == 0 ? version.get(C.INT, 0) : 0;
    }
  }

  private static CudaInstallation started(CudaHost host, Cu.Start start, Ready ready) {
    int code = Downcall.number(() -> (int) start.init().invokeExact(0));
    if (code == 0) {
      return ready;
    }
    return code == CudaCodes.NO_DEVICE
        ? new NoDevice(host.hides())
        : new Refused(
            new DriverError(
                CudaCodes.DRIVER, "cuInit", code, CudaCodes.of(ready.cu()).names().apply(code)));
  }
}
