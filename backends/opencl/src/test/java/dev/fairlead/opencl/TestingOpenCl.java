package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import java.util.List;

/** The OpenCL devices of this machine, for tests: PoCL's at least, which ./verify installs. */
final class TestingOpenCl {
  /** One look for all tests: it takes a process. */
  private static final OpenClProvider PROVIDER = new OpenClProvider();

  private TestingOpenCl() {}

  static Discovery find(String... terms) {
    Discovery found = PROVIDER.discover(List.of(terms));
    assertThat(found.devices())
        .as("OpenCL devices; on Debian: apt-get install pocl-opencl-icd (%s)", found.problems())
        .isNotEmpty();
    return found;
  }

  /** A context on a device, bound to the current thread. */
  static ComputeContext open(Device device) {
    ComputeContext context = (ComputeContext) PROVIDER.open(device);
    context.bind();
    return context;
  }

  static ComputeDriver driver(Device device) {
    return PROVIDER.driver(device);
  }

  static ComputeContext open() {
    return open(find("opencl:0").devices().getFirst());
  }
}
