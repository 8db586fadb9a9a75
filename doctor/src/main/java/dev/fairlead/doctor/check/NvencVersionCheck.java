package dev.fairlead.doctor.check;

import dev.fairlead.device.Vendor;
import dev.fairlead.media.job.Codecs;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** Whether NVIDIA's driver knows the encoder's interface that the bundled FFmpeg asks for. */
final class NvencVersionCheck implements Check {
  /** What the headers say with which the bundled FFmpeg was built, and whose driver knows it. */
  private static final int MAJOR = 13;

  private static final int MINOR = 1;
  private static final String DRIVER = "610";

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
    int major = version >> 4;
    int minor = version & 15;
    String known =
        "driver %s knows NVENC %d.%d, FFmpeg %s asks for %d.%d"
            .formatted(driver, major, minor, Codecs.version(), MAJOR, MINOR);
    boolean enough = major > MAJOR || (major == MAJOR && minor >= MINOR);
    return enough
        ? Finding.pass(known)
        : Finding.fail(known, "Install driver %s or newer".formatted(DRIVER));
  }

  private static int version(MethodHandle function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(C.INT);
      int code = Downcall.number(() -> (int) function.invokeExact(version));
      return code == 0 ? version.get(C.INT, 0) : 0;
    }
  }
}
