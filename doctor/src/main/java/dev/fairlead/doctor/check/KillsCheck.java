package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Bytes;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.DeviceTrials;
import dev.fairlead.media.trial.SessionsTrial;
import dev.fairlead.media.worker.WorkerProcess.FailedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whether a card has its memory and its sessions back after processes that encode were killed. */
final class KillsCheck implements Check {
  private static final int KILLS = 20;
  private static final int ENDLESS = 1_000_000;
  private static final long NOISE = 64L << 20;
  private static final Duration MID_ENCODE = Duration.ofMillis(150);
  private static final Duration TO_SETTLE = Duration.ofSeconds(10);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  /** What a card has of itself left; less than nothing if it does not say. */
  private record Left(long freeBytes, int sessions) {
    boolean isAsGoodAs(Left before) {
      return freeBytes >= before.freeBytes - NOISE && sessions <= before.sessions;
    }

    @Override
    public String toString() {
      return "%s free, %d sessions".formatted(Bytes.of(freeBytes), sessions);
    }
  }

  @Override
  public String id() {
    return "kills";
  }

  @Override
  public boolean disturbs() {
    return true;
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(10);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    Device device = subject.device();
    Optional<DeviceTrials.Order> order = SessionsCheck.order(subject, device);
    if (order.isEmpty()) {
      return Finding.skip("no encoder of this device works");
    }
    subject.forgetTrials();
    Left before = left(subject);
    for (int i = 0; i < KILLS; i++) {
      kill(device, order.get());
    }
    Left after = settled(subject, before);
    SessionsTrial.Seen again = subject.trials().sessions(List.of(device), order.get(), 10);
    if (again.opened() != 1) {
      return Finding.fail(
          "after %d kills no encoder can be opened: %s".formatted(KILLS, again.refusal()),
          "Restart the machine, and update the driver: it keeps what killed processes had");
    }
    return after.isAsGoodAs(before)
        ? Finding.pass("after %d kills: %s, before: %s".formatted(KILLS, after, before))
        : Finding.fail(
            "after %d kills: %s, before: %s".formatted(KILLS, after, before),
            "Update the driver: it keeps what killed processes had");
  }

  private static void kill(Device device, DeviceTrials.Order order) throws Exception {
    try (DeviceTrials trials = DeviceTrials.open(List.of(device), List.of())) {
      // Its driver is loaded and its context is open after this.
      SessionsTrial.Seen _ = trials.sessions(List.of(device), order, 2);
      Thread encoding =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  SessionsTrial.Seen _ = trials.sessions(List.of(device), order, ENDLESS);
                } catch (FailedException killed) {
                  // As it should be.
                } catch (InterruptedException interrupted) {
                  Thread.currentThread().interrupt();
                }
              });
      Thread.sleep(MID_ENCODE);
      trials.kill();
      encoding.join();
    }
  }

  private static Left settled(Subject subject, Left before) throws InterruptedException {
    long end = System.nanoTime() + TO_SETTLE.toNanos();
    Left now = left(subject);
    while (!now.isAsGoodAs(before) && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_AGAIN);
      now = left(subject);
    }
    return now;
  }

  private static Left left(Subject subject) {
    if (!subject.device().kind().equals(DeviceKind.CUDA)) {
      return new Left(0, 0);
    }
    try (ComputeContext context = subject.open()) {
      String sessions = subject.detail("encoder sessions");
      return new Left(
          context.sample().map(DeviceContext.Sample::freeBytes).orElse(0L),
          sessions.isEmpty() ? 0 : Integer.parseInt(sessions));
    }
  }
}
