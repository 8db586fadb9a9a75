package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.json.JsonRecords;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.EncoderTrials;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several transcodes in one process. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TranscodeHostTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final DevicePool pool = DevicePool.open(Discovery.find("cpu:2"));
  private final JobOptions options = options(ChaosPlan.none());
  private final LinkedBlockingQueue<HostEvent> events = new LinkedBlockingQueue<>();

  @AfterEach
  void closePool() {
    pool.close();
  }

  private JobOptions options(ChaosPlan chaos) {
    return new JobOptions(pool, ServicePolicies.anyRung(), chaos, PATIENCE);
  }

  private TranscodeHost open() {
    return watched(TranscodeHost.open(options, HostLimits.usual(pool).withMinFreeBytes(0)));
  }

  private TranscodeHost watched(TranscodeHost host) {
    var _ =
        host.subscribe(
            1,
            new HostEvent.Listener() {
              @Override
              public void on(HostEvent event) {
                events.add(event);
              }

              @Override
              public void reset(List<JobStatus> jobs, long next) {}
            });
    return host;
  }

  private TranscodeRequest request(String name) {
    return TestingJobs.request(TestingClips.usual(), directory.resolve(name));
  }

  private JobOrder order(String name) {
    return JobOrder.of(request(name), options);
  }

  private JobOrder order(String name, String chaos) {
    return JobOrder.of(request(name), options(ChaosPlan.parse(chaos)));
  }

  /** Waits until a job stands so; what comes before is passed over. */
  private void await(Transcode job, JobState wanted) throws InterruptedException {
    while (true) {
      HostEvent event = events.poll(2, TimeUnit.MINUTES);
      assertThat(event).as("%s becomes %s", job.id(), wanted).isNotNull();
      if (event.job().equals(job.id())
          && event.what() instanceof HostEvent.What.Changed changed
          && changed.state() == wanted) {
        return;
      }
    }
  }

  /** Waits until a chunk of a job is committed. */
  private void awaitCommit(Transcode job) throws InterruptedException {
    while (true) {
      HostEvent event = events.poll(2, TimeUnit.MINUTES);
      assertThat(event).as("%s commits", job.id()).isNotNull();
      if (event.job().equals(job.id())
          && event.what() instanceof HostEvent.What.Reported reported
          && reported.event() instanceof TranscodeListener.Event.Committed) {
        return;
      }
    }
  }

  private void assertAsCalm(String name) throws Exception {
    TestingJobs.run(request("calm"), "cpu:2");
    assertThat(TestingJobs.hashes(directory.resolve(name)))
        .isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
  }

  private static List<ProcessHandle> workers() {
    return ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).toList();
  }

  @Test
  void ofThreeOneIsCancelledOneLosesItsWorkerAndTheOthersBytesAreTheSame() throws Exception {
    try (TranscodeHost host = open()) {
      Transcode cancelled = host.submit(order("cancelled", "hang@180p/1x*"));
      Transcode killed = host.submit(order("killed", "kill@180p/1,kill@90p/2"));
      Transcode calm = host.submit(order("untouched"));
      assertThat(host.jobs())
          .extracting(JobStatus::id)
          .containsExactly(cancelled.id(), killed.id(), calm.id());
      calm.await();
      awaitCommit(cancelled);
      cancelled.cancel();
      assertThatThrownBy(cancelled::await).isInstanceOf(TranscodeException.Cancelled.class);
      assertThat(killed.await().workerRestarts()).isPositive();
      assertThat(host.jobs())
          .extracting(JobStatus::state)
          .containsExactly(JobState.CANCELLED, JobState.DONE, JobState.DONE);
      assertThat(host.turns().leastBytes()).as("memory in the books").isZero();
    }
    assertThat(workers()).isEmpty();
    assertAsCalm("killed");
    assertThat(TestingJobs.hashes(directory.resolve("untouched")))
        .isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
  }

  @Test
  void aJobThatIsPausedHasNoWorkerAndGoesOnFromItsChunks() throws Exception {
    try (TranscodeHost host = open()) {
      List<Integer> resumed = new CopyOnWriteArrayList<>();
      Transcode job =
          host.submit(
              JobOrder.of(request("paused").withRestart(true), options)
                  .withListener(event -> {
                    if (event instanceof TranscodeListener.Event.Planned planned) {
                      resumed.add(planned.resumed());
                    }
                  }));
      awaitCommit(job);
      job.pause();
      await(job, JobState.PAUSED);
      assertThat(workers()).isEmpty();
      assertThat(host.turns().leastBytes()).isZero();
      assertThat(Files.exists(directory.resolve("paused/master.m3u8"))).isFalse();
      job.resume();
      assertThat(job.await().rungs()).hasSize(2);
      assertThat(resumed).hasSize(2).first().isEqualTo(0);
      assertThat(resumed.getLast()).as("chunks taken over, of a job that begins anew").isPositive();
      assertThat(job.status().state()).isEqualTo(JobState.DONE);
      assertThatThrownBy(job::pause).isInstanceOf(HostException.WrongState.class);
      assertThatThrownBy(job::resume).isInstanceOf(HostException.WrongState.class);
    }
    assertAsCalm("paused");
  }

  @Test
  void anUrgentJobHasALessUrgentOneParked() throws Exception {
    HostLimits one = HostLimits.usual(pool).withMinFreeBytes(0).withJobs(1);
    try (TranscodeHost host = watched(TranscodeHost.open(options, one))) {
      Transcode usual = host.submit(order("usual"));
      awaitCommit(usual);
      Transcode urgent = host.submit(order("urgent").withPriority(Priority.HIGH));
      await(usual, JobState.PARKED);
      urgent.await();
      assertThat(usual.status().state()).isNotEqualTo(JobState.DONE);
      usual.await();
    }
    assertAsCalm("usual");
  }

  @Test
  void aJobIsParkedForATenantThatHasNoPlace() throws Exception {
    Path clip =
        TestingClips.clip(
            "long.mp4",
            "-f lavfi -i testsrc2=s=320x180:r=30 -t 40 -c:v libopenh264 -b:v 600k -g 30");
    AtomicLong now = new AtomicLong();
    HostLimits two = HostLimits.usual(pool).withMinFreeBytes(0).withJobs(2);
    try (TranscodeHost host =
        watched(
            new TranscodeHost(
                options,
                two,
                new EncoderTrials(),
                new TranscodeHost.Machine(path -> Long.MAX_VALUE, now::get),
                _ -> {},
                false))) {
      Tenant busy = Tenant.of("busy");
      Transcode old = host.submit(ofLong(clip, "old").withTenant(busy));
      Transcode young = host.submit(ofLong(clip, "young").withTenant(busy));
      awaitCommit(young);
      Transcode other = host.submit(order("other").withTenant(Tenant.of("other")));
      now.addAndGet(Turns.SETTLED_NANOS);
      await(young, JobState.PARKED);
      await(other, JobState.RUNNING);
      other.await();
      young.await();
      old.await();
    }
    assertAsCalm("other");
    assertThat(TestingJobs.hashes(directory.resolve("young")))
        .isEqualTo(TestingJobs.hashes(directory.resolve("old")));
  }

  private JobOrder ofLong(Path clip, String name) {
    return JobOrder.of(TestingJobs.request(clip, directory.resolve(name)), options);
  }

  @Test
  void jobsAreParkedWhileTheDiskIsNearlyFull() throws Exception {
    AtomicLong free = new AtomicLong(99);
    HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(100);
    try (TranscodeHost host =
        watched(
            new TranscodeHost(
                options,
                limits,
                new EncoderTrials(),
                new TranscodeHost.Machine(path -> free.get(), System::nanoTime),
                _ -> {},
                false))) {
      Transcode job = host.submit(order("disk"));
      await(job, JobState.QUEUED);
      await(job, JobState.QUEUED);
      assertThat(job.status().reason()).contains("disk");
      free.set(500);
      awaitCommit(job);
      free.set(99);
      await(job, JobState.PARKED);
      assertThat(job.status().reason()).contains("disk");
      free.set(200);
      job.await();
    }
    assertAsCalm("disk");
  }

  @Test
  void aHostThatIsClosedParksItsJobsAndTheSameRequestsGoOn() throws Exception {
    Transcode first;
    Transcode second;
    try (TranscodeHost host = open()) {
      first = host.submit(order("first"));
      second = host.submit(order("second"));
      awaitCommit(first);
    }
    assertThatThrownBy(first::await).isInstanceOf(TranscodeException.Cancelled.class);
    assertThatThrownBy(second::await).isInstanceOf(TranscodeException.Cancelled.class);
    assertThat(first.status().state()).isEqualTo(JobState.PARKED);
    assertThat(workers()).isEmpty();
    try (TranscodeHost host = open()) {
      Transcode again = host.submit(order("first"));
      host.submit(order("second")).await();
      again.await();
    }
    assertAsCalm("first");
    assertThat(TestingJobs.hashes(directory.resolve("second")))
        .isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
  }

  @Test
  void whatCannotBeIsRefusedInAKindOfItsOwn() throws Exception {
    TranscodeHost host = open();
    Transcode job = host.submit(order("out", "hang@180p/1x*"));
    assertThatThrownBy(() -> host.submit(order("out")))
        .isInstanceOf(HostException.OutputTaken.class)
        .hasMessageContaining(job.id().toString());
    assertThatThrownBy(() -> host.job(JobId.create())).isInstanceOf(HostException.UnknownJob.class);
    assertThat(host.job(job.id())).isSameAs(job);
    assertThatThrownBy(() -> host.forget(job.id())).isInstanceOf(HostException.WrongState.class);
    host.cancelAndClose();
    assertThat(job.status().state()).isEqualTo(JobState.CANCELLED);
    host.forget(job.id());
    assertThat(host.jobs()).isEmpty();
    assertThatThrownBy(() -> host.submit(order("other"))).isInstanceOf(HostException.Closed.class);
  }

  @Test
  void listenersThatBlockOrThrowHarmNothing() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    List<String> thrown = new CopyOnWriteArrayList<>();
    try (TranscodeHost host = open()) {
      var _ =
          host.subscribe(
              1,
              new HostEvent.Listener() {
                @Override
                public void on(HostEvent event) {
                  try {
                    never.await();
                  } catch (InterruptedException over) {
                    Thread.currentThread().interrupt();
                  }
                }

                @Override
                public void reset(List<JobStatus> jobs, long next) {}
              });
      Transcode blocked =
          host.submit(
              order("blocked")
                  .withListener(event -> {
                    try {
                      never.await();
                    } catch (InterruptedException over) {
                      Thread.currentThread().interrupt();
                    }
                  }));
      Transcode throwing =
          host.submit(
              order("throwing")
                  .withListener(event -> {
                    thrown.add(event.getClass().getSimpleName());
                    throw new IllegalStateException("a listener that throws");
                  }));
      throwing.await();
      blocked.await();
      assertThat(thrown).contains("Finished");
      never.countDown();
    }
  }

  private static boolean isChange(JobEntry entry, JobState state) {
    return entry instanceof JobEntry.Changed changed
        && changed.state() == state
        && changed.at().isPresent();
  }

  @Test
  void theLogOfAJobSaysWhatBecameOfIt() throws Exception {
    Path records = directory.resolve("records");
    HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(0).withRecords(records);
    Transcode done;
    Transcode cancelled;
    try (TranscodeHost host = watched(TranscodeHost.open(options, limits))) {
      done = host.submit(order("done"));
      cancelled = host.submit(order("cancelled", "hang@180p/1x*"));
      done.await();
      cancelled.cancel();
      assertThatThrownBy(cancelled::await).isInstanceOf(TranscodeException.Cancelled.class);
    }
    DirectoryRecords store = DirectoryRecords.open(records);
    assertThat(JobLog.jobs(store)).containsExactly(done.id(), cancelled.id());
    assertThat(JobLog.of(store, done.id()).end()).hasValue(new JobEnd.Done());
    assertThat(JobLog.of(store, done.id()).entries().stream().map(JsonRecords::entry))
        .anyMatch(entry -> isChange(entry, JobState.QUEUED))
        .anyMatch(entry -> isChange(entry, JobState.RUNNING))
        .anyMatch(JobEntry.Worked.class::isInstance)
        .first()
        .isEqualTo(
            new JobEntry.Submitted(
                request("done"), Tenant.of("default"), Priority.NORMAL, false, false, Map.of()));
    assertThat(JobLog.of(store, cancelled.id()).end())
        .hasValue(new JobEnd.Cancelled("by its owner"));
  }
}
