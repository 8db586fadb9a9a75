package dev.fairlead.doctor.check;

import dev.fairlead.device.Vendor;
import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Set;

/**
 * Whether a library of a driver can be loaded, on machines that have a card which needs it.
 *
 * @param name what it is for
 * @param property a system property that names another library than the usual one; empty if none
 * @param library as the system's loader takes it
 * @param function one that it has if it is new enough
 * @param vendors whose cards need it
 * @param debian the package that brings it
 */
record LibraryCheck(
    String name,
    String property,
    String library,
    String function,
    Set<Vendor> vendors,
    String debian)
    implements Check {
  static List<Check> all() {
    Set<Vendor> nvidia = Set.of(Vendor.NVIDIA);
    Set<Vendor> others = Set.of(Vendor.INTEL, Vendor.AMD);
    return List.of(
        // Drivers have this one since CUDA 11.4, which is what is needed to compute.
        new LibraryCheck(
            "cuda",
            "fairlead.cuda.library",
            "libcuda.so.1",
            "cuDeviceGetUuid_v2",
            nvidia,
            "libcuda1"),
        new LibraryCheck(
            "nvml",
            "fairlead.nvml.library",
            "libnvidia-ml.so.1",
            "nvmlDeviceGetHandleByUUID",
            nvidia,
            "libnvidia-ml1"),
        new LibraryCheck(
            "nvenc",
            "",
            "libnvidia-encode.so.1",
            "NvEncodeAPIGetMaxSupportedVersion",
            nvidia,
            "libnvidia-encode1"),
        new LibraryCheck(
            "nvdec", "", "libnvcuvid.so.1", "cuvidGetDecoderCaps", nvidia, "libnvcuvid1"),
        new LibraryCheck("vaapi", "", "libva-drm.so.2", "vaGetDisplayDRM", others, "libva-drm2"));
  }

  @Override
  public String id() {
    return "library." + name;
  }

  @Override
  public Finding run(Subject subject) {
    if (subject.machine().cards().stream().noneMatch(card -> vendors.contains(card.vendor()))) {
      return Finding.skip(
          "there is no card of %s"
              .formatted(
                  String.join(" or ", vendors.stream().map(Vendor::name).sorted().toList())));
    }
    String chosen = property.isEmpty() ? "" : System.getProperty(property, "");
    String asked = chosen.isEmpty() ? library : chosen;
    return switch (Binding.of(List.of(asked), symbols -> symbols.function(function, C.INT))) {
      case Binding.Bound<MethodHandle> _ -> Finding.pass(library + " is loaded");
      case Binding.NoLibrary<MethodHandle> none ->
          Finding.fail("%s is not loaded: %s".formatted(library, none.reason()), remedy(subject));
      case Binding.NoSymbol<MethodHandle> old ->
          Finding.fail(
              "%s is too old, or damaged: it has no function %s".formatted(library, old.symbol()),
              "Install a newer driver; " + debian + " is part of it");
    };
  }

  private String remedy(Subject subject) {
    if (subject.machine().isContainer() && vendors.contains(Vendor.NVIDIA)) {
      return "Start the container with --gpus all and"
          + " -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video";
    }
    return "Install the driver's library: apt-get install %s".formatted(debian);
  }
}
