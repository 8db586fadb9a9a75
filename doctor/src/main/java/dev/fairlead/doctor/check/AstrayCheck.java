package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is left of a device after a kernel has written where nothing is: in the same process after a
 * reset, on another device of that process, and in another process.
 */
final class AstrayCheck implements Check {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public String id() {
    return "astray";
  }

  @Override
  public boolean disturbs() {
    return true;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(2);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    Device device = subject.device();
    List<String> labels = new ArrayList<>(List.of(device.label()));
    another(device).ifPresent(labels::add);
    try (HazardProcess hazard = HazardProcess.start(Hazard.WILD, labels)) {
      Optional<String> error = hazard.await(Hazard.ERROR, PATIENCE);
      Optional<String> answer = hazard.await(Hazard.RESET, PATIENCE);
      String reset = answer.orElse("no answer");
      Optional<String> other =
          labels.size() > 1 ? hazard.await(Hazard.OTHER, PATIENCE) : Optional.empty();
      boolean ended = hazard.ends(PATIENCE);
      hazard.kill();
      if (error.isEmpty() && answer.isPresent()) {
        return Finding.fail(
            "a kernel wrote where nothing is, and the driver did not notice",
            "Update the driver: mistakes of kernels would go unnoticed");
      }
      String seen =
          "after %s: the same process %s%s"
                  .formatted(
                      error.orElse("a crash of the process"),
                      reset.equals(Hazard.WELL)
                          ? "computes again"
                          : "cannot go on (%s)".formatted(reset),
                      other
                          .map(said ->
                              ", on %s it %s"
                                  .formatted(
                                      labels.get(1),
                                      said.equals(Hazard.WELL) ? "computes" : "does not: " + said))
                          .orElse(""))
              + (ended ? "" : ", and does not end");
      return judge(subject, seen);
    }
  }

  /** The device has to serve this process, which has done nothing wrong. */
  private static Finding judge(Subject subject, String seen) {
    try (ComputeContext context = subject.open()) {
      if (Kernels.firstMistake(context).isEmpty()) {
        return Finding.pass(seen + "; another process computes");
      }
      return Finding.fail(seen + "; another process computes wrongly", KernelCheck.RESTART);
    } catch (RuntimeException broken) {
      return Finding.fail(
          "%s; another process cannot compute: %s".formatted(seen, broken.getMessage()),
          "Reset the card (nvidia-smi --gpu-reset) or restart the machine; a wild kernel takes it"
              + " from everybody");
    }
  }

  private static Optional<String> another(Device device) {
    return Discovery.find(device.kind().toString()).devices().stream()
        .filter(each -> !each.id().equals(device.id()))
        .map(Device::label)
        .findFirst();
  }
}
