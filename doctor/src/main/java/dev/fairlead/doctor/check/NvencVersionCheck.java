package dev.fairlead.doctor.check;

import dev.fairlead.device.Vendor;
import dev.fairlead.media.supervise.Codecs;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** Whether NVIDIA's driver knows an encoder's interface that one of our FFmpegs asks for. */
final class NvencVersionCheck implements Check {
  /** As the driver writes it: four bits are those of the minor version. */
  private static final int USUAL = 13 << 4 | 1;

  private static final int OLDER = 13 << 4;

  @Override
  public String id() {
    return "driver.nvenc";
  }

  @Override
  public Finding run(Subject subject) {
    if (subject.machine().cards().stream().noneMatch(card -> card.vendor().equals(Vendor.NVIDIA))) {
      return Finding.skip("there is no card of nvidia");
    }
    String driver = subject.machine().nvidiaDriver().orElse("of unknown version");
    Binding<MethodHandle> binding =
        Binding.of(
            List.of("libnvidia-encode.so.1"),
            symbols -> symbols.function("NvEncodeAPIGetMaxSupportedVersion", C.INT, C.POINTER));
    if (binding instanceof Binding.Unbound<MethodHandle> none) {
      return Finding.skip("driver %s cannot be asked: %s".formatted(driver, none.reason()));
    }
    int version = version(((Binding.Bound<MethodHandle>) binding).functions());
    Optional<Codecs> older = Codecs.older();
    if (version >= USUAL || older.isEmpty()) {
      return judged(driver, version, Codecs.usual(), USUAL, "610");
    }
    return judged(driver, version, older.get(), OLDER, "570");
  }

  private static Finding judged(
      String driver, int version, Codecs codecs, int asked, String remedy) {
    String known =
        "driver %s knows NVENC %s, FFmpeg %s asks for %s"
            .formatted(
                driver, text(version), codecs.version().replaceFirst("-.*", ""), text(asked));
    return version >= asked
        ? Finding.pass(known)
        : Finding.fail(known, "Install driver %s or newer".formatted(remedy));
  }

  private static String text(int version) {
    return "%d.%d".formatted(version >> 4, version & 15);
  }

  private static int version(MethodHandle function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(C.INT);
      int code = Downcall.number(() -> (int) function.invokeExact(version));
      return code == 0 ? version.get(C.INT, 0) : 0;
    }
  }
}
