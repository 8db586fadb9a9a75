package dev.fairlead.doctor.check;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.device.Card;
import dev.fairlead.device.Discovery;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Whether bytes come over from one card to another, and how fast: straight where the driver says
 * that the cards reach each other, over the host elsewhere.
 */
public record PeerCheck(String from, String to) implements Check {
  public static final String FROM = "from";
  public static final String TO = "to";
  public static final String SPEED = "gigabytesPerSecond";
  public static final String STRAIGHT = "straight";

  private static final long BYTES = 32L << 20;
  private static final int ROUNDS = 4;

  /** What a backend calls the devices of which a device reads the memory by itself. */
  private static final String PEERS = "reads memory of";

  private static final String IOMMU =
      "Switch the IOMMU to pass-through (kernel option iommu=pt), or off; until then bytes go over"
          + " the host";

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
      boolean claimed =
          List.of(target.provider().details(target.device()).getOrDefault(PEERS, "").split(", "))
              .contains(from);
      return onThreadOfItsOwn(() -> compare(subject.open(target), original, pattern, claimed))
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
      ComputeContext here, DeviceBuffer original, StagingBuffer pattern, boolean claimed) {
    try (here;
        StagingBuffer back = here.stage(BYTES);
        DeviceBuffer copy = here.allocate(BYTES)) {
      Stream stream = here.stream();
      boolean straight = stream.copy(original, copy); // the first one tries the straight way
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
      return judge(mistake, claimed, straight, told)
          .with(STRAIGHT, straight)
          .with(SPEED, String.format(Locale.ROOT, "%.2f", speed));
    }
  }

  static Finding judge(long mistake, boolean claimed, boolean straight, String speed) {
    if (mistake >= 0) {
      return Finding.fail(
          "byte %d of a pattern came over changed, %s".formatted(mistake, speed), IOMMU);
    }
    if (claimed && !straight) {
      return Finding.fail(
          "the driver says that these cards reach each other, but a pattern came over changed; over"
              + " the host %s".formatted(speed),
          IOMMU);
    }
    return Finding.pass(
        "all bytes came over %s, %s".formatted(straight ? "straight" : "by the host", speed));
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
