package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Bytes;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.prepare.DeviceTrials;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.TrialResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Whether a card has its memory and its sessions back after processes that encode were killed. */
final class KillsCheck implements Check {
  private static final int ENDLESS = 1_000_000;
  private static final long NOISE = 64L << 20;

  private static final String RESTART =
      "Restart the machine, and update the driver: it keeps what killed processes had";
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /**
   * What a card has of itself left.
   *
   * @param told whether its driver says so to anybody
   */
  private record Left(boolean told, long freeBytes, int sessions) {
    boolean isAsGoodAs(Left before) {
      return freeBytes >= before.freeBytes - NOISE && sessions <= before.sessions;
    }

    @Override
    public String toString() {
      return told
          ? "%s free, %d sessions".formatted(Bytes.of(freeBytes), sessions)
          : "memory and sessions are not told by this driver";
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
    int kills = subject.effort().kills();
    for (int i = 0; i < kills; i++) {
      TrialResult.Sessions refused = kill(device, order.get());
      if (refused != null) {
        return refused(i, refused);
      }
    }
    Left after = settled(subject, before);
    TrialResult.Sessions again = subject.trials().sessions(List.of(device), order.get(), 10);
    if (again.opened() != 1) {
      return refused(kills, again);
    }
    String seen =
        before.told
            ? "after %d kills: %s, before: %s".formatted(kills, after, before)
            : "after %d kills an encoder opens; %s".formatted(kills, after);
    return after.isAsGoodAs(before)
        ? Finding.pass(seen)
        : Finding.fail(seen, "Update the driver: it keeps what killed processes had");
  }

  private static Finding refused(int kills, TrialResult.Sessions seen) {
    return Finding.fail(
        "after %d kills no encoder can be opened: %s".formatted(kills, seen.refusal()), RESTART);
  }

  /**
   * Kills a worker once it encodes; null then. Otherwise what it saw instead, or what has ended its
   * encoder is thrown.
   */
  private static TrialResult.@Nullable Sessions kill(Device device, DeviceTrials.Order order)
      throws Exception {
    try (DeviceTrials trials = DeviceTrials.open(List.of(device), List.of())) {
      FutureTask<TrialResult.Sessions> encoding =
          new FutureTask<>(() -> trials.sessions(List.of(device), order, ENDLESS));
      Thread thread = Thread.startVirtualThread(encoding);
      // A sign comes with a picture, so that the encoder is open and its context, too.
      while (trials.signs() == 0 && !encoding.isDone()) {
        Thread.sleep(LOOK_AGAIN);
      }
      if (encoding.isDone()) {
        return encoding.get();
      }
      trials.kill();
      thread.join();
      return null;
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof FailedException before ? before : failed;
    }
  }

  private static Left settled(Subject subject, Left before) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(subject.effort().settleSeconds()).toNanos();
    Left now = left(subject);
    while (!now.isAsGoodAs(before) && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_AGAIN);
      now = left(subject);
    }
    return now;
  }

  private static Left left(Subject subject) {
    if (!subject.device().kind().equals(DeviceKind.CUDA)) {
      return new Left(false, 0, 0);
    }
    try (ComputeContext context = subject.open()) {
      String sessions = subject.detail("encoder sessions");
      return new Left(
          true,
          context.sample().map(DeviceContext.Sample::freeBytes).orElse(0L),
          sessions.isEmpty() ? 0 : Integer.parseInt(sessions));
    }
  }
}
