package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.host.MemoryBook;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What jobs of one host have of each other: a part of the memory, and nothing else. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NeighboursTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private static JobOptions options(DevicePool pool, String chaos) {
    ChaosPlan plan = chaos.isEmpty() ? ChaosPlan.none() : ChaosPlan.parse(chaos);
    return new JobOptions(pool, ServicePolicies.anyRung(), plan, PATIENCE);
  }

  private JobOrder order(Path source, String output, JobOptions options) {
    return JobOrder.of(TestingJobs.request(source, directory.resolve(output)), options);
  }

  private void assertSame(String one, String other) throws Exception {
    assertThat(TestingJobs.hashes(directory.resolve(one)))
        .isEqualTo(TestingJobs.hashes(directory.resolve(other)));
  }

  private static <E extends Event> List<E> of(Class<E> kind, List<Event> events) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** On one lane, so that a slot which one of them held would be missing to the other. */
  @Test
  void aJobThatCrashesItsWorkerEachTimeFailsAndTheOneBesideItDoesNotNotice() throws Exception {
    List<Event> events = new CopyOnWriteArrayList<>();
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"));
        TranscodeHost host =
            TranscodeHost.open(options(pool, ""), HostLimits.usual(pool).withMinFreeBytes(0))) {
      Transcode hostile =
          host.submit(order(TestingClips.usual(), "hostile", options(pool, "crash@100%")));
      Transcode sound =
          host.submit(
              order(TestingClips.usual(), "sound", options(pool, "")).withListener(events::add));
      TranscodeResult result = sound.await();
      assertThatThrownBy(hostile::await)
          .isInstanceOf(TranscodeException.GaveUp.class)
          .hasMessageContaining("killed its worker process");
      assertThat(hostile.status().state()).isEqualTo(JobState.FAILED);
      assertThat(hostile.status().reason()).contains("killed its worker process");
      assertThat(host.turns().leastBytes()).isZero();

      assertThat(result.workerRestarts()).isZero();
      assertThat(result.devices()).allMatch(device -> device.failures() == 0);
    }
    assertThat(of(Event.Requeued.class, events)).isEmpty();
    assertThat(of(Event.Committed.class, events)).hasSize(6);
    assertThat(of(Event.Started.class, events))
        .as("no unit had to come twice")
        .extracting(Event.Started::unit)
        .hasSize(6)
        .doesNotHaveDuplicates();
    TestingJobs.run(TestingJobs.request(TestingClips.usual(), directory.resolve("calm")), "cpu:1");
    assertSame("sound", "calm");
  }

  private static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("Not in " + PATIENCE + ": " + what);
      }
      Thread.onSpinWait();
    }
  }

  /**
   * There is memory for two jobs and a chunk more: one that is alone has all of what is left, and
   * gives half of it to one that comes.
   */
  @Test
  void memoryAndPumpsAreDividedAnewWhenANeighbourComesAndGoesAndTheBytesAreTheSame()
      throws Exception {
    Path source =
        TestingClips.clip(
            "neighbour.mkv", "-f lavfi -i testsrc2=s=640x360:r=25 -t 40 -c:v mpeg4 -bf 2 -g 25");
    Pumps pumps = new Pumps(1, 2, 2);
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      JobOptions usual = options(pool, "").withPumps(pumps);
      HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(0);
      MemoryBook.Need need;
      try (TranscodeHost host = TranscodeHost.open(usual, limits)) {
        HostedJob calm = (HostedJob) host.submit(order(source, "calm", usual));
        calm.await();
        need = calm.need();
      }
      long encoders = need.encoders().values().stream().mapToLong(Long::longValue).sum();
      long spare = 30_000_000;
      JobOptions scarce = usual.withMemoryBytes(2 * need.own() + encoders + spare);
      try (TranscodeHost host = TranscodeHost.open(scarce, limits)) {
        HostedJob job = (HostedJob) host.submit(order(source, "job", scarce));
        until("it has what it can use", () -> job.share().memoryBytes() > alone(need));
        long before = job.share().memoryBytes();
        HostedJob beside = (HostedJob) host.submit(order(source, "beside", scarce));
        until("it gives a part to its neighbour", () -> job.share().memoryBytes() < before);
        until("the neighbour has its part", () -> beside.share().memoryBytes() > alone(need));
        assertThat(job.status().state()).isEqualTo(JobState.RUNNING);
        assertThat(job.share().pumps() + beside.share().pumps())
            .isLessThanOrEqualTo(Math.max(2, Runtime.getRuntime().availableProcessors()));
        assertThat(host.turns().heldBytes()).isLessThanOrEqualTo(scarce.memoryBytes());
        beside.cancel();
        assertThatThrownBy(beside::await).isInstanceOf(TranscodeException.Cancelled.class);
        until("it has all of it again", () -> job.share().memoryBytes() == before);
        assertThat(job.status().state()).isEqualTo(JobState.RUNNING);
        assertThat(job.await().workerRestarts()).isZero();
        assertThat(host.turns().heldBytes()).isZero();
      }
    }
    assertSame("job", "calm");
  }

  /**
   * The first has decoded more than it is to have beside a second, and its lanes hang: the second
   * has a place, and does not begin.
   */
  @Test
  void aJobBeginsWhenOthersHaveGivenBackWhatItNeedsAndMayBePausedMeanwhile() throws Exception {
    Path source =
        TestingClips.clip(
            "neighbour.mkv", "-f lavfi -i testsrc2=s=640x360:r=25 -t 40 -c:v mpeg4 -bf 2 -g 25");
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(0);
      MemoryBook.Need need;
      JobOptions hanging = options(pool, "hang@100%");
      try (TranscodeHost host = TranscodeHost.open(hanging, limits)) {
        HostedJob job = (HostedJob) host.submit(order(source, "need", hanging));
        until("its need is known", () -> !job.need().equals(MemoryBook.INSPECTING));
        need = job.need();
        host.cancelAndClose();
      }
      long total = alone(need) + MemoryBook.INSPECTING.own() + 10_000_000;
      JobOptions scarce = hanging.withMemoryBytes(total);
      AtomicLong frames = new AtomicLong();
      try (TranscodeHost host = TranscodeHost.open(scarce, limits)) {
        HostedJob first =
            (HostedJob)
                host.submit(
                    order(source, "first", scarce)
                        .withListener(event -> {
                          if (event instanceof Event.Progress progress) {
                            frames.set(progress.framesDecoded());
                          }
                        }));
        until("two chunks are begun", () -> frames.get() > 0);
        HostedJob second = (HostedJob) host.submit(order(source, "second", scarce));
        until("it has a place", () -> host.turns().isRunning(second));
        until("it is not begun", () -> second.status().state() == JobState.QUEUED);
        assertThat(host.turns().heldBytes()).isLessThanOrEqualTo(total);
        second.pause();
        until("it is paused", () -> second.status().state() == JobState.PAUSED);
        assertThat(host.turns().isRunning(second)).isFalse();
        assertThat(host.turns().leastBytes()).isEqualTo(alone(need));
        second.resume();
        first.cancel();
        until("it begins", () -> second.status().state() == JobState.RUNNING);
        host.cancelAndClose();
      }
    }
  }

  private static long alone(MemoryBook.Need need) {
    return need.own() + need.encoders().values().stream().mapToLong(Long::longValue).sum();
  }
}
