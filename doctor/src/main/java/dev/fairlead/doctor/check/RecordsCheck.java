package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceKind;

/** Whether NVML lists this process, and it is told apart from those of others. */
final class RecordsCheck implements Check {
  private static final String PROCESSES = "compute processes";

  @Override
  public String id() {
    return "records";
  }

  @Override
  public Finding run(Subject subject) {
    if (!subject.device().kind().equals(DeviceKind.CUDA)) {
      return Finding.skip("only NVIDIA's driver tells who uses a card");
    }
    try (ComputeContext context = subject.open()) {
      String told = subject.detail(PROCESSES);
      if (told.isEmpty()) {
        return Finding.skip("NVML does not know this device");
      }
      int processes = Integer.parseInt(told);
      int others = context.sample().map(DeviceContext.Sample::foreignStreams).orElse(0);
      String detail =
          "NVML lists %d computing, and %d users count as others".formatted(processes, others);
      if (processes == 0) {
        return Finding.fail(
            detail + "; this process is not among them",
            "Update the driver; in a container, start it with --pid=host");
      }
      return others < processes + sessions(subject)
          ? Finding.pass(detail)
          : Finding.fail(
              detail + "; this process counts as one of them",
              subject.machine().isContainer()
                  ? "Start the container with --pid=host, or its own work counts as foreign load"
                  : "Report it: this process is not recognised by its number");
    }
  }

  private static int sessions(Subject subject) {
    String told = subject.detail("encoder sessions");
    return told.isEmpty() ? 0 : Integer.parseInt(told);
  }
}
