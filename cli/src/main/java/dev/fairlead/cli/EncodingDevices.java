package dev.fairlead.cli;

import dev.fairlead.device.Discovery;
import java.util.Arrays;
import java.util.List;

/**
 * The devices that a transcode can use. OpenCL drivers are asked in a process of their own, which
 * costs as much as all else before the first picture, and computing is not what a transcode needs:
 * the kernel knows the encoders of the same cards. So they are asked only for a device that is
 * named and may be theirs.
 */
final class EncodingDevices {
  static final String ALL = "all";

  private static final String OPENCL = "opencl";

  /** Terms that no OpenCL device is meant by alone, and those that begin with a scheme. */
  private static final List<String> OTHERS =
      List.of("all", "nvidia", "amd", "intel", "cpu", "lane", "cuda", "encoder");

  private EncodingDevices() {}

  static Discovery find(String terms) {
    Discovery found =
        needsOpenCl(terms)
            ? Discovery.find(terms)
            : Discovery.find(terms, provider -> !provider.scheme().equals(OPENCL));
    return terms.strip().equals(ALL) ? accelerators(found) : found;
  }

  /** What is not the processor, if there is any: a GPU that only encodes is all that is needed. */
  static Discovery accelerators(Discovery found) {
    List<Discovery.Found> others =
        found.found().stream().filter(each -> !each.device().isOnHostCores()).toList();
    return others.isEmpty() ? found : new Discovery(others, found.problems());
  }

  static boolean needsOpenCl(String terms) {
    return Arrays.stream(terms.split(",", -1))
        .map(term -> term.strip().split("[:*@]", 2)[0])
        .anyMatch(term -> !OTHERS.contains(term));
  }
}
