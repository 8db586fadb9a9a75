package dev.fairlead.cli;

import dev.fairlead.device.Discovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The devices that a transcode can use. OpenCL drivers are asked in a process of their own, which
 * costs as much as all else before the first picture; what they have encodes through a render node
 * of the kernel. So where there is none, {@code all} does not ask them.
 */
final class EncodingDevices {
  private static final Path NODES = Path.of("/dev/dri");
  private static final String OPENCL = "opencl";

  /** Terms that no OpenCL device can be meant by, and those that begin with a scheme. */
  private static final List<String> OTHERS = List.of("all", "cpu", "cuda");

  private EncodingDevices() {}

  static Discovery find(String terms) {
    return needsOpenCl(terms, NODES)
        ? Discovery.find(terms)
        : Discovery.find(terms, provider -> !provider.scheme().equals(OPENCL));
  }

  static boolean needsOpenCl(String terms, Path nodes) {
    boolean named =
        Arrays.stream(terms.split(",", -1))
            .map(term -> term.strip().split("[:*@]", 2)[0])
            .anyMatch(term -> !OTHERS.contains(term));
    return named || hasRenderNode(nodes);
  }

  private static boolean hasRenderNode(Path nodes) {
    try (Stream<Path> all = Files.list(nodes)) {
      return all.anyMatch(node -> node.getFileName().toString().startsWith("render"));
    } catch (IOException none) {
      return false;
    }
  }
}
