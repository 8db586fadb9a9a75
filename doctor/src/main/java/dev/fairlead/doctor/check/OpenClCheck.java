package dev.fairlead.doctor.check;

import dev.fairlead.device.Discovery;
import dev.fairlead.doctor.host.Machine;
import java.nio.file.Path;
import java.util.List;

/** Whether the OpenCL drivers that are registered on the machine can be used. */
final class OpenClCheck implements Check {
  private static final String VENDORS = "OCL_ICD_VENDORS";
  private static final String USUAL = "/etc/OpenCL/vendors";

  @Override
  public String id() {
    return "library.opencl";
  }

  @Override
  public Finding run(Subject subject) {
    List<Path> registered = registered(subject.machine());
    if (registered.isEmpty()) {
      return Finding.skip("no OpenCL driver is registered");
    }
    Discovery found = Discovery.find("opencl");
    if (found.problems().isEmpty()) {
      return Finding.pass(
          "drivers: %d, devices: %d".formatted(registered.size(), found.devices().size()));
    }
    return Finding.fail(
        String.join("; ", found.problems().stream().map(Discovery.Problem::reason).toList()),
        "Install or remove the driver whose registration is named; the loader comes with apt-get"
            + " install ocl-icd-libopencl1");
  }

  private static List<Path> registered(Machine machine) {
    String named = System.getenv(VENDORS);
    return named == null
        ? machine.listed(USUAL, "*.icd")
        : new Machine(Path.of("/")).listed(Path.of(named).toAbsolutePath().toString(), "*.icd");
  }
}
