package dev.fairlead.cuda;

import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.Cpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Where this machine has what belongs to CUDA devices.
 *
 * @param cudaLibraries names or paths of the driver, the first that loads counts
 * @param nvmlLibraries the same of NVML
 * @param chosen whether they were named by properties, so that their absence is worth a word
 * @param visible what the environment lets the driver show: numbers and beginnings of UUIDs, none
 *     of them if it is empty, all devices if it is null. It is the driver that obeys it, and
 *     numbers what is left anew; here it is only told to whoever misses a device
 * @param pciDevices where the system describes the devices on its PCI buses
 */
record CudaHost(
    List<String> cudaLibraries,
    List<String> nvmlLibraries,
    boolean chosen,
    @Nullable String visible,
    Path pciDevices) {
  /** System properties that name other libraries than those of the system. */
  static final String CUDA_LIBRARY = "fairlead.cuda.library";

  static final String NVML_LIBRARY = "fairlead.nvml.library";

  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  CudaHost {
    cudaLibraries = List.copyOf(cudaLibraries);
    nvmlLibraries = List.copyOf(nvmlLibraries);
  }

  static CudaHost here() {
    String cuda = System.getProperty(CUDA_LIBRARY, "");
    String nvml = System.getProperty(NVML_LIBRARY, "");
    return new CudaHost(
        List.of(cuda.isEmpty() ? "libcuda.so.1" : cuda),
        List.of(nvml.isEmpty() ? "libnvidia-ml.so.1" : nvml),
        !cuda.isEmpty() || !nvml.isEmpty(),
        System.getenv(VISIBLE),
        Path.of("/sys/bus/pci/devices"));
  }

  /**
   * Whether a library is not there, which is the ordinary case. One that was named by a property
   * has to be there.
   */
  boolean isMissing(Binding.Unbound<?> unbound) {
    return !chosen && unbound instanceof Binding.NoLibrary<?> none && none.missing();
  }

  /** How people find what hides devices from them in their environment; empty if nothing does. */
  String hides() {
    return visible == null ? "" : VISIBLE + "=" + visible;
  }

  /** The NUMA node that a PCI device is near to; empty where the machine has but one. */
  OptionalInt numaNode(String pciAddress) {
    try {
      int node = Integer.parseInt(told(pciAddress, "numa_node"));
      return node < 0 ? OptionalInt.empty() : OptionalInt.of(node);
    } catch (IOException | NumberFormatException notTold) {
      return OptionalInt.empty();
    }
  }

  /** The processors of that node; any where the machine has but one. */
  Cpus near(String pciAddress) {
    try {
      return numaNode(pciAddress).isPresent()
          ? Cpus.of(told(pciAddress, "local_cpulist"))
          : Cpus.any();
    } catch (IOException | IllegalArgumentException notTold) {
      return Cpus.any();
    }
  }

  private String told(String pciAddress, String what) throws IOException {
    return Files.readString(pciDevices.resolve(pciAddress).resolve(what)).strip();
  }
}
