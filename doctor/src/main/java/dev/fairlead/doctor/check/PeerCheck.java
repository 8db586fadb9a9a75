package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.device.Card;
import dev.fairlead.device.Discovery;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Whether bytes come over from one card to another, and how fast. */
public record PeerCheck(String from, String to) implements Check {
  public static final String FROM = "from";
  public static final String TO = "to";
  public static final String SPEED = "gigabytesPerSecond";

  private static final long BYTES = 32L << 20;
  private static final int ROUNDS = 4;

  @Override
  public String id() {
    return "peer.%s.%s".formatted(from, to);
  }

  @Override
  public Duration patience() {
    return Duration.ofMinutes(2);
  }

  @Override
  public Finding run(Subject subject) throws Exception {
    Discovery.Found source = found(subject, from);
    Discovery.Found target = found(subject, to);
    try (ComputeContext there = subject.open(source);
        StagingBuffer pattern = there.stage(BYTES);
        DeviceBuffer original = there.allocate(BYTES)) {
      CopyCheck.fill(pattern.memory());
      Stream stream = there.stream();
      stream.upload(pattern, original);
      stream.synchronise();
      return onThreadOfItsOwn(() -> compare(subject.open(target), original, pattern))
          .with(FROM, address(source))
          .with(TO, address(target));
    }
  }

  /** A thread is bound to one device. */
  private static Finding onThreadOfItsOwn(Callable<Finding> work) throws Exception {
    FutureTask<Finding> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    try {
      return task.get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }

  private static Finding compare(
      ComputeContext here, DeviceBuffer original, StagingBuffer pattern) {
    try (here;
        StagingBuffer back = here.stage(BYTES);
        DeviceBuffer copy = here.allocate(BYTES)) {
      Stream stream = here.stream();
      stream.copy(original, copy); // the first one tries the straight way
      long begun = System.nanoTime();
      for (int i = 0; i < ROUNDS; i++) {
        stream.copy(original, copy);
      }
      stream.synchronise();
      double speed = ROUNDS * BYTES / (double) Math.max(1, System.nanoTime() - begun);
      stream.download(copy, back);
      stream.synchronise();
      long mistake = pattern.memory().mismatch(back.memory());
      String told = String.format(Locale.ROOT, "%.1f GB/s", speed);
      return mistake < 0
          ? Finding.pass("all bytes came over, " + told)
              .with(SPEED, String.format(Locale.ROOT, "%.2f", speed))
          : Finding.fail(
              "byte %d of a pattern came over changed, %s".formatted(mistake, told),
              "Switch the IOMMU to pass-through (kernel option iommu=pt), or off");
    }
  }

  private static Discovery.Found found(Subject subject, String label) {
    return subject.found().stream()
        .filter(each -> each.device().label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(label + " is not there any more"));
  }

  private static String address(Discovery.Found device) {
    return device.device().card().map(Card::pciAddress).orElse("");
  }
}
