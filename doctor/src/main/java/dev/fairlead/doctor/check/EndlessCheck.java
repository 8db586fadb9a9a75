package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether a device computes again after a kernel without end and the end of its process. */
final class EndlessCheck implements Check {
  private static final Duration TO_LAUNCH = Duration.ofMinutes(1);

  @Override
  public String id() {
    return "endless";
  }

  @Override
  public boolean disturbs() {
    return true;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(3);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    String how;
    try (HazardProcess hazard =
        HazardProcess.start(Hazard.ENDLESS, List.of(subject.device().label()))) {
      if (hazard.await(Hazard.LAUNCHED, TO_LAUNCH).isEmpty()) {
        return Finding.fail(
            "a kernel without end could not be launched: %s"
                .formatted(hazard.await(Hazard.ERROR, Duration.ZERO).orElse("no answer")),
            KernelCheck.RESTART);
      }
      Optional<String> ended =
          hazard.await(Hazard.ERROR, Duration.ofSeconds(subject.effort().endlessSeconds()));
      how =
          ended
              .map(error -> "the driver ended it (%s)".formatted(error))
              .orElse("it ran until its process was killed");
      hazard.kill();
    }
    long begun = System.nanoTime();
    try (ComputeContext context = subject.open()) {
      if (Kernels.firstMistake(context).isPresent()) {
        return Finding.fail(how + "; since then the device computes wrongly", KernelCheck.RESTART);
      }
    } catch (RuntimeException broken) {
      return Finding.fail(
          "%s; since then the device does not compute: %s".formatted(how, broken.getMessage()),
          KernelCheck.RESTART);
    }
    return Finding.pass(
        String.format(
            Locale.ROOT,
            "%s; %.1f s later the device computed again",
            how,
            (System.nanoTime() - begun) / 1e9));
  }
}
