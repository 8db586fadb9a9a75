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
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.media.records.Records;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host goes on with what the one before it has left in its records. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HostRestartTest {
  private static final int KILLS = Boolean.getBoolean("fairlead.full") ? 20 : 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final DevicePool pool = DevicePool.open(Discovery.find("cpu:2"));
  private final JobOptions options = options(ChaosPlan.none());

  @AfterEach
  void closePool() {
    pool.close();
  }

  private JobOptions options(ChaosPlan chaos) {
    return new JobOptions(pool, ServicePolicies.anyRung(), chaos, PATIENCE);
  }

  private Path records() {
    return directory.resolve("records");
  }

  private TranscodeHost open() {
    return open(_ -> {});
  }

  private TranscodeHost open(Consumer<JobStatus> ended) {
    return TranscodeHost.open(
        options, HostLimits.usual(pool).withMinFreeBytes(0).withRecords(records()), ended);
  }

  private TranscodeRequest request(String name) {
    return TestingJobs.request(TestingClips.usual(), directory.resolve(name));
  }

  private void assertAsCalm(String... names) throws Exception {
    TestingJobs.run(request("calm"), "cpu:2");
    for (String name : names) {
      assertThat(TestingJobs.hashes(directory.resolve(name)))
          .as(name)
          .isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
    }
  }

  /** How many chunks of rungs each job took over, by the events of a host. */
  private static Map<JobId, Integer> resumedChunks(TranscodeHost host) {
    Map<JobId, Integer> resumed = new ConcurrentHashMap<>();
    var _ =
        host.subscribe(
            1,
            new HostEvent.Listener() {
              @Override
              public void on(HostEvent event) {
                if (event.what() instanceof HostEvent.What.Reported reported
                    && reported.event() instanceof TranscodeListener.Event.Planned planned) {
                  resumed.put(event.job(), planned.resumed());
                }
              }

              @Override
              public void reset(List<JobStatus> jobs, long next) {}
            });
    return resumed;
  }

  @Test
  void jobsOfAHostThatIsClosedGoOnInTheNextFromTheirChunks() throws Exception {
    CountDownLatch committed = new CountDownLatch(1);
    JobOrder order =
        new JobOrder(
            JobId.create(),
            request("begun").withRestart(true),
            options(ChaosPlan.parse("hang@180p/2x*")),
            new Tenant("studio", 3),
            Priority.HIGH,
            Map.of(),
            event -> {
              if (event instanceof TranscodeListener.Event.Committed) {
                committed.countDown();
              }
            });
    Transcode paused;
    try (TranscodeHost host = open()) {
      host.submit(order);
      paused = host.submit(JobOrder.of(request("paused"), options));
      paused.pause();
      paused.priority(Priority.LOW);
      assertThat(committed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    try (TranscodeHost host = open()) {
      Map<JobId, Integer> resumed = resumedChunks(host);
      assertThat(host.jobs()).extracting(JobStatus::id).containsExactly(order.id(), paused.id());
      Transcode begun = host.job(order.id());
      assertThat(begun.status().priority()).isEqualTo(Priority.HIGH);
      host.weigh(new Tenant("studio", 5));
      begun.await();
      Transcode stopped = host.job(paused.id());
      assertThat(stopped.status().state()).isEqualTo(JobState.PAUSED);
      assertThat(stopped.status().priority()).isEqualTo(Priority.LOW);
      stopped.resume();
      stopped.await();
      assertThat(resumed.get(order.id())).as("chunks taken over").isPositive();
      assertThat(host.queue().shares().tenants())
          .extracting(share -> share.tenant())
          .contains(new Tenant("studio", 5), Tenant.of("default"));
    }
    assertAsCalm("begun", "paused");
    try (TranscodeHost host = open()) {
      assertThat(host.jobs()).as("jobs that have an end").isEmpty();
    }
  }

  @Test
  void whatTenantsHaveHadIsKept() throws Exception {
    FairShares before;
    try (TranscodeHost host = open()) {
      host.submit(JobOrder.of(request("film"), options).withTenant(new Tenant("studio", 2)))
          .await();
      before = host.queue().shares();
    }
    assertThat(before.tenants()).singleElement().matches(share -> share.time() > 0);
    try (TranscodeHost host = open()) {
      FairShares.Share now = host.queue().shares().tenants().getFirst();
      assertThat(now.tenant()).isEqualTo(new Tenant("studio", 2));
      assertThat(now.time()).isEqualTo(before.tenants().getFirst().time());
    }
    assertThat(DirectoryRecords.open(records()).list("shares")).hasSize(1);
  }

  @Test
  void aHostOpensWhateverItsRecordsHold() throws Exception {
    DirectoryRecords store = DirectoryRecords.open(records());
    JobId garbled = JobId.create();
    JobLog.begin(store, garbled, "submitted film.mp4 out");
    JobId late = JobId.create();
    JobLog.begin(store, late, "{\"version\":1,\"is\":\"Paused\"}");
    JobId odd = JobId.create();
    JobLog.begin(store, odd, "{\"version\":1,\"is\":\"Paused\"}");
    store.create("jobs/" + odd + "/end", new byte[] {1});
    store.create("jobs/junk/000000000", new byte[] {1});
    store.create("shares/000000000", new byte[] {1});
    try (TranscodeHost host = open()) {
      assertThat(host.jobs()).extracting(JobStatus::id).containsExactly(garbled, late, odd);
      assertThat(host.jobs()).extracting(JobStatus::state).containsOnly(JobState.FAILED);
      assertThatThrownBy(host.job(garbled)::await)
          .isInstanceOf(HostException.UnreadableRecord.class)
          .hasMessageContaining(garbled.toString());
      assertThatThrownBy(host.job(late)::pause).isInstanceOf(HostException.WrongState.class);
      host.submit(JobOrder.of(request("sound"), options)).await();
      host.forget(late);
    }
    assertThat(JobLog.of(store, garbled).end()).as("of a record that another can read").isEmpty();
  }

  @Test
  void aHostDoesNotOpenRecordsOfANewerVersion() {
    DirectoryRecords store = DirectoryRecords.open(records());
    JobId newer = JobId.create();
    JobLog log = JobLog.begin(store, newer, "{\"version\":99,\"is\":\"Submitted\",\"cloud\":true}");
    assertThatThrownBy(this::open)
        .isInstanceOf(HostException.NewerRecords.class)
        .hasMessageContaining(newer.toString())
        .hasMessageContaining("a newer Fairlead has written it, in form 99");
    log.end(new JobEnd.Done());
    open().close();
    store.delete("shares/000000000");
    store.create("shares/000000009", "{\"version\":99}".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(this::open).isInstanceOf(HostException.NewerRecords.class);
    assertThatThrownBy(this::open)
        .as("the lock is let go of")
        .isInstanceOf(HostException.NewerRecords.class);
  }

  @Test
  void aJobThatWasCancelledIsRetriedWithWhatIsThere() throws Exception {
    CountDownLatch committed = new CountDownLatch(1);
    JobOrder order =
        JobOrder.of(request("again"), options(ChaosPlan.parse("hang@180p/2x*")))
            .withNotes(Map.of("name", "The film"))
            .withListener(event -> {
              if (event instanceof TranscodeListener.Event.Committed) {
                committed.countDown();
              }
            });
    List<JobStatus> ended = new CopyOnWriteArrayList<>();
    try (TranscodeHost host = open(ended::add)) {
      Transcode job = host.submit(order);
      assertThatThrownBy(() -> host.retry(order.id()))
          .isInstanceOf(HostException.WrongState.class)
          .hasMessageContaining("be retried");
      assertThat(committed.await(1, TimeUnit.MINUTES)).isTrue();
      job.cancel();
      assertThatThrownBy(job::await).isInstanceOf(TranscodeException.Cancelled.class);
    }
    assertThat(ended).singleElement().matches(job -> job.state() == JobState.CANCELLED);
    try (TranscodeHost host = open(ended::add)) {
      JobStatus before = host.job(order.id()).status();
      assertThat(before.state()).isEqualTo(JobState.CANCELLED);
      assertThat(before.notes()).containsEntry("name", "The film");
      assertThat(before.facts().times().ended()).isPresent();
      assertThat(host.ended()).containsExactly(order.id());
      host.retry(order.id()).await();
      assertThat(host.ended()).containsExactly(order.id());
    }
    try (TranscodeHost host = open(ended::add)) {
      JobStatus after = host.job(order.id()).status();
      assertThat(after.state()).isEqualTo(JobState.DONE);
      assertThat(after.facts().tries().attempt()).isEqualTo(2);
      assertThat(after.facts().tries().resumedChunks()).isPositive();
      assertThat(after.facts().rungs()).isNotEmpty();
      assertThat(after.facts().deviceSeconds()).isPositive();
      host.forget(order.id());
      assertThatThrownBy(() -> host.job(order.id())).isInstanceOf(HostException.UnknownJob.class);
    }
    assertThat(ended).extracting(JobStatus::state).endsWith(JobState.DONE);
    assertThat(JobLog.jobs(DirectoryRecords.open(records()))).isEmpty();
    assertAsCalm("again");
  }

  @Test
  void twoHostsDoNotHaveTheSameRecords() {
    try (TranscodeHost _ = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(HostException.RecordsTaken.class)
          .hasMessageContaining(records().toString())
          .hasMessageContaining("in use by this process");
    }
    open().close();
  }

  @Test
  void aJobWhosePacketsWentToAProgramDoesNotGoOn() throws Exception {
    JobId id;
    try (TranscodeHost host = open()) {
      Transcode job =
          host.submit(JobOrder.of(request("sink"), options.withSink((track, packet) -> {})));
      job.pause();
      id = job.id();
    }
    try (TranscodeHost host = open()) {
      assertThat(host.job(id).status().reason()).contains("a program that has ended");
    }
    assertThat(JobLog.of(DirectoryRecords.open(records()), id).end())
        .hasValueSatisfying(end -> assertThat(end).isInstanceOf(JobEnd.Failed.class));
  }

  @Test
  void jobsOfAHostThatWasKilledGoOnInTheNext() throws Exception {
    long seed = Long.getLong("fairlead.seed", 42);
    Random random = new Random(seed);
    List<Path> outputs =
        List.of(directory.resolve("one"), directory.resolve("two"), directory.resolve("three"));
    for (int kill = 0; kill < KILLS; kill++) {
      Process process =
          TestingHostProcess.start(
              records(), TestingClips.usual(), kill == 0 ? outputs : List.of());
      awaitLogs(process, outputs.size());
      boolean ended = process.waitFor(random.nextInt(4_000), TimeUnit.MILLISECONDS);
      List<ProcessHandle> workers = process.descendants().toList();
      process.destroyForcibly().waitFor();
      for (ProcessHandle worker : workers) {
        worker.onExit().get(10, TimeUnit.SECONDS);
      }
      String said = Files.readString(directory.resolve("process.log"));
      assertThat(!ended || process.exitValue() == 0).as("seed %d: %s", seed, said).isTrue();
    }
    try (TranscodeHost host = open()) {
      List<Transcode> left = new ArrayList<>();
      host.jobs().forEach(job -> left.add(host.job(job.id())));
      for (Transcode job : left) {
        job.await();
      }
    }
    assertAsCalm("one", "two", "three");
  }

  /** Waits until all jobs have their logs, so that none is forgotten. */
  private void awaitLogs(Process process, int jobs) throws Exception {
    DirectoryRecords store = DirectoryRecords.open(records());
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (JobLog.jobs(store).size() < jobs) {
      assertThat(process.isAlive()).isTrue();
      assertThat(System.nanoTime() - end).as("the logs of all jobs are there").isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void aJobWhoseRecordCannotBeWrittenGoesOnAndSaysSo() throws Exception {
    LinkedBlockingQueue<HostEvent> events = new LinkedBlockingQueue<>();
    try (TranscodeHost host = open()) {
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
      Transcode job = host.submit(JobOrder.of(request("film"), options));
      JobLog.of(DirectoryRecords.open(records()), job.id()).delete();
      job.await();
      assertThat(job.status().state()).isEqualTo(JobState.DONE);
      assertThatThrownBy(() -> job.priority(Priority.HIGH)).isInstanceOf(Records.Gone.class);
    }
    String notice = "";
    while (!notice.contains("Its record cannot be written")) {
      HostEvent event = events.poll(1, TimeUnit.MINUTES);
      assertThat(event).as("a notice").isNotNull();
      if (event.what() instanceof HostEvent.What.Reported reported
          && reported.event() instanceof TranscodeListener.Event.Noticed noticed) {
        notice = noticed.what();
      }
    }
    assertAsCalm("film");
  }

  @Test
  void aJobThatIsCancelledDoesNotComeBack() {
    TranscodeHost host = open();
    Transcode job = host.submit(JobOrder.of(request("gone"), options));
    host.cancelAndClose();
    assertThatThrownBy(job::await).isInstanceOf(TranscodeException.Cancelled.class);
    try (TranscodeHost next = open()) {
      assertThat(next.jobs()).isEmpty();
    }
  }
}
