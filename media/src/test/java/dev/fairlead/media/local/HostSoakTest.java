package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many short jobs, to which everything happens that may: each ends once, and nothing is left. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class HostSoakTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int JOBS = FULL ? 200 : 6;
  private static final int AT_ONCE = 8;
  private static final long SEED = Long.getLong("fairlead.seed", 1_717);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long HEAP_BYTES = 24L << 20;
  private static final String KILLED = "killed its worker process";

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final LinkedBlockingQueue<HostEvent> events = new LinkedBlockingQueue<>();
  private final Map<JobId, List<JobState>> ends = new HashMap<>();

  private TranscodeRequest request(String name) {
    Path source =
        TestingClips.clip(
            "soak.mp4",
            "-f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine=f=440:r=48000 -t 5"
                + " -c:v libopenh264 -g 25 -c:a aac");
    return TestingJobs.request(source, directory.resolve(name))
        .withLadder(LadderSpec.parse("160x90"));
  }

  /** What this process has that a host could leave behind. */
  private record Left(long processes, Set<String> threads, long descriptors) {
    static Left now() {
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        return new Left(ProcessHandle.current().descendants().count(), threadNames(), open.count());
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    private static Set<String> threadNames() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> !"InnocuousThreadGroup".equals(groupOf(thread)))
          .map(Thread::getName)
          .filter(name -> !name.startsWith("ForkJoinPool") && !name.contains("Unparker"))
          .collect(Collectors.toSet());
    }

    private static String groupOf(Thread thread) {
      ThreadGroup group = thread.getThreadGroup();
      return group == null ? "" : group.getName();
    }

    boolean isNoMoreThan(Left before) {
      return processes <= before.processes
          && before.threads.containsAll(threads)
          && descriptors <= before.descriptors;
    }
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Looks again until it is so, for a while. */
  private static <T> T settled(Supplier<T> look, Predicate<T> wanted) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    T seen = look.get();
    while (!wanted.test(seen) && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(50);
      seen = look.get();
    }
    return seen;
  }

  @Test
  void everyJobEndsOnceAndNothingIsLeft() throws Exception {
    soak("warm", 2);
    SortedMap<String, String> calm = TestingJobs.hashes(directory.resolve("warm0"));
    Left before = Left.now();
    long heapBefore = heap();
    Map<Path, JobState> ended = soak("job", JOBS);
    assertThat(ended.values()).as("seed %d", SEED).contains(JobState.DONE);
    for (Map.Entry<Path, JobState> each : ended.entrySet()) {
      if (each.getValue() == JobState.DONE) {
        assertThat(TestingJobs.hashes(each.getKey())).isEqualTo(calm);
      }
    }
    assertThat(settled(Left::now, now -> now.isNoMoreThan(before)))
        .as("before: %s", before)
        .matches(now -> now.isNoMoreThan(before));
    assertThat(settled(HostSoakTest::heap, now -> now < heapBefore + HEAP_BYTES))
        .as("heap, which was %d", heapBefore)
        .isLessThan(heapBefore + HEAP_BYTES);
  }

  /** Runs so many jobs; where there are two only, nothing happens to them. */
  private Map<Path, JobState> soak(String name, int count) throws Exception {
    events.clear();
    ends.clear();
    Map<Path, JobState> ended = new HashMap<>();
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:3"))) {
      JobOptions options =
          new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), PATIENCE);
      HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(0);
      try (TranscodeHost host = TranscodeHost.open(options, limits)) {
        var _ = host.subscribe(1, listener());
        List<Transcode> jobs = new ArrayList<>();
        while (jobs.size() < count || live(jobs) > 0) {
          if (jobs.size() < count && live(jobs) < AT_ONCE) {
            jobs.add(host.submit(JobOrder.of(request(name + jobs.size()), options)));
          }
          boolean quiet = !take();
          if (count > 2) {
            disturb(jobs);
          }
          if (quiet || jobs.size() == count) {
            jobs.forEach(HostSoakTest::resume);
          }
        }
        for (Transcode job : jobs) {
          ended.put(job.status().output(), end(job));
        }
        assertThat(host.turns().leastBytes()).as("memory in the books").isZero();
        assertThat(host.turns().heldBytes()).isZero();
      }
      takeAll();
    }
    assertThat(ends).hasSize(count);
    assertThat(ends.values()).as("ends of each job").allMatch(states -> states.size() == 1);
    return ended;
  }

  private HostEvent.Listener listener() {
    return new HostEvent.Listener() {
      @Override
      public void on(HostEvent event) {
        events.add(event);
      }

      @Override
      public void reset(List<JobStatus> jobs, long next) {
        throw new AssertionError("The listener has fallen behind");
      }
    };
  }

  /** Waits for a few events; false if none came for a while. */
  private boolean take() throws InterruptedException {
    for (int more = 1 + random.nextInt(6); more > 0; more--) {
      HostEvent event = events.poll(2, TimeUnit.SECONDS);
      if (event == null) {
        return false;
      }
      note(event);
    }
    return true;
  }

  private void takeAll() {
    for (HostEvent event = events.poll(); event != null; event = events.poll()) {
      note(event);
    }
  }

  private void note(HostEvent event) {
    if (event.what() instanceof HostEvent.What.Changed changed && changed.state().isOver()) {
      ends.computeIfAbsent(event.job(), any -> new ArrayList<>()).add(changed.state());
    }
  }

  private static long live(List<Transcode> jobs) {
    return jobs.stream().filter(job -> !job.status().state().isOver()).count();
  }

  private static void resume(Transcode job) {
    try {
      job.resume();
    } catch (HostException.WrongState over) {
      // It has ended.
    }
  }

  private void disturb(List<Transcode> jobs) {
    Transcode job = jobs.get(random.nextInt(jobs.size()));
    try {
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> job.pause();
        case 3, 4, 5, 6 -> job.resume();
        case 7 -> job.cancel();
        case 8, 9, 10 -> job.priority(Priority.values()[random.nextInt(Priority.values().length)]);
        case 11 -> {
          List<ProcessHandle> workers = ProcessHandle.current().descendants().toList();
          if (!workers.isEmpty()) {
            workers.get(random.nextInt(workers.size())).destroyForcibly();
          }
        }
        default -> {}
      }
    } catch (HostException.WrongState over) {
      // It has ended meanwhile.
    }
  }

  private static JobState end(Transcode job) throws InterruptedException {
    try {
      job.await();
      return JobState.DONE;
    } catch (TranscodeException.Cancelled cancelled) {
      return JobState.CANCELLED;
    } catch (TranscodeException failed) {
      assertThat(failed).hasMessageContaining(KILLED);
      return JobState.FAILED;
    }
  }
}
