package dev.fairlead.service.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.json.JsonRecords;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.service.index.Index;
import dev.fairlead.service.upload.Uploads;
import dev.fairlead.service.webhook.WebhookOptions;
import dev.fairlead.service.webhook.Webhooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are over, without a transcode: their logs are written by the test. */
class RetentionTest {
  private static final Jobs.Filter ALL =
      new Jobs.Filter(Optional.empty(), Optional.empty(), Optional.empty());

  @TempDir Path temporary;
  private Path data;
  private Path root;
  private DevicePool pool;
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private Instant now = Instant.now();

  @BeforeEach
  void open() throws IOException {
    Path real = temporary.toRealPath();
    data = Files.createDirectories(real.resolve("data"));
    root = Files.createDirectories(real.resolve("root"));
    pool = DevicePool.open(Discovery.find("cpu:1"));
  }

  private Jobs start() throws IOException {
    List<Throwable> mishaps = new ArrayList<>();
    Index index = Index.open(data);
    closings.push(index::close);
    Webhooks none =
        new Webhooks(
            index, WebhookOptions.NONE, InstantSource.system(), (_, mishap) -> mishaps.add(mishap));
    EndedJobs ended = new EndedJobs(index, none, (_, mishap) -> mishaps.add(mishap));
    TranscodeHost host =
        TranscodeHost.open(
            JobOptions.usual(pool),
            HostLimits.usual(pool).withRecords(data.resolve("records")),
            ended::add);
    closings.push(host::close);
    ended.align(host);
    assertThat(mishaps).isEmpty();
    return new Jobs(host, ended, data.resolve("packages"), new Roots(List.of(root)), _ -> {});
  }

  @AfterEach
  void close() {
    stop();
    pool.close();
  }

  private void stop() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }

  /** The log of a job that has ended now, and what it wrote. */
  private JobId over(Path input, Path output, JobEnd end) throws IOException {
    JobId id = JobId.create();
    JobLog log =
        JobLog.begin(
            DirectoryRecords.open(data.resolve("records")),
            id,
            JsonRecords.text(
                new JobEntry.Submitted(
                    TranscodeRequest.of(input, output),
                    Tenant.of("films"),
                    Priority.NORMAL,
                    false,
                    false,
                    Map.of("name", "The film"))));
    log.end(end);
    Files.createDirectories(output.resolve(".fairlead/chunks"));
    Files.writeString(output.resolve(".fairlead/journal"), "finished");
    Files.writeString(output.resolve("master.m3u8"), "#EXTM3U");
    return id;
  }

  private JobId over(Path output) throws IOException {
    return over(root.resolve("in.mp4"), output, new JobEnd.Done());
  }

  private static List<String> ids(Jobs jobs, Jobs.Filter filter, int limit) {
    return jobs.page(filter, limit).jobs().stream().map(JobView::id).toList();
  }

  @Test
  void jobsThatAreOverAreListedFromTheirLogsAlone() throws IOException {
    JobId done = over(data.resolve("packages/a"));
    JobId failed =
        over(root.resolve("in.mp4"), root.resolve("b"), new JobEnd.Failed("It is no film"));
    Jobs jobs = start();
    assertThat(ids(jobs, ALL, 9)).containsExactly(failed.value(), done.value());
    JobView view = jobs.page(ALL, 9).jobs().getFirst();
    assertThat(view.name()).isEqualTo("The film");
    assertThat(view.tenant()).isEqualTo("films");
    assertThat(view.error().orElseThrow().reason()).isEqualTo("It is no film");
    assertThat(view).isEqualTo(JobView.of(jobs.find(failed.value()).status()));
    assertThat(
            ids(
                jobs,
                new Jobs.Filter(Optional.of(JobState.DONE), Optional.of("films"), Optional.empty()),
                9))
        .containsExactly(done.value());
  }

  @Test
  void pagesNeitherRepeatNorSkip() throws IOException {
    List<String> all = new ArrayList<>();
    for (int each = 0; each < 7; each++) {
      all.addFirst(over(data.resolve("packages").resolve("p" + each)).value());
    }
    Jobs jobs = start();
    List<String> seen = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      JobView.JobPage page =
          jobs.page(new Jobs.Filter(Optional.empty(), Optional.empty(), after), 3);
      page.jobs().forEach(job -> seen.add(job.id()));
      after = page.next();
    } while (after.isPresent());
    assertThat(seen).isEqualTo(all);
  }

  @Test
  void whatAnIndexHasBeyondTheLogsGoes() throws IOException {
    JobId gone = over(data.resolve("packages/a"));
    Jobs _ = start();
    stop();
    JobLog.of(DirectoryRecords.open(data.resolve("records")), gone).delete();
    Jobs jobs = start();
    assertThat(ids(jobs, ALL, 9)).isEmpty();
  }

  @Test
  void aJobThatIsRemovedTakesItsFilesUnderTheDataAndUnderARootTheStoreAlone() throws IOException {
    JobId kept = over(data.resolve("packages/a"));
    JobId ours = over(root.resolve("b"));
    Path elsewhere = Files.createDirectories(root.resolveSibling("elsewhere"));
    JobId outside = over(elsewhere);
    Files.createSymbolicLink(root.resolve("link"), elsewhere);
    JobId linked = over(root.resolve("link"));
    Jobs jobs = start();
    for (JobId each : List.of(kept, ours, outside, linked)) {
      jobs.remove(jobs.find(each.value()));
    }
    assertThat(data.resolve("packages/a")).doesNotExist();
    assertThat(root.resolve("b/master.m3u8")).exists();
    assertThat(root.resolve("b/.fairlead")).doesNotExist();
    assertThat(elsewhere.resolve(".fairlead/journal")).exists();
    assertThat(ids(jobs, ALL, 9)).isEmpty();
    assertThat(JobLog.jobs(DirectoryRecords.open(data.resolve("records")))).isEmpty();
  }

  @Test
  void theStoreOfAnOutputStaysWhileAnotherJobHasIt() throws IOException {
    JobId first = over(root.resolve("same"));
    JobId second = over(root.resolve("same"));
    Jobs jobs = start();
    jobs.remove(jobs.find(first.value()));
    assertThat(root.resolve("same/.fairlead/journal")).exists();
    jobs.remove(jobs.find(second.value()));
    assertThat(root.resolve("same/.fairlead")).doesNotExist();
  }

  @Test
  void whatWasKeptForLongEnoughGoes() throws IOException {
    Uploads uploads = new Uploads(data.resolve("uploads"), 0);
    Path used = Files.writeString(data.resolve("uploads/used.whole"), "used");
    Path unused = Files.writeString(data.resolve("uploads/unused.whole"), "unused");
    Path half = Files.writeString(data.resolve("uploads/half.part"), "ha");
    JobId job = over(used, data.resolve("packages/a"), new JobEnd.Done());
    Jobs jobs = start();
    try (Retention retention = new Retention(jobs, uploads, Duration.ofDays(30), () -> now)) {
      now = now.plus(Duration.ofDays(29));
      retention.sweep();
      assertThat(ids(jobs, ALL, 9)).containsExactly(job.value());
      assertThat(unused).exists();

      now = now.plus(Duration.ofDays(2));
      retention.sweep();
      assertThat(ids(jobs, ALL, 9)).isEmpty();
      assertThat(data.resolve("packages/a")).doesNotExist();
      assertThat(List.of(used, unused, half)).allSatisfy(file -> assertThat(file).doesNotExist());
    }
  }

  @Test
  void anUploadStaysWhileAJobHasReadIt() throws IOException {
    Uploads uploads = new Uploads(data.resolve("uploads"), 0);
    Path used = Files.writeString(data.resolve("uploads/used.whole"), "used");
    JobId _ = over(used, data.resolve("packages/a"), new JobEnd.Done());
    Jobs jobs = start();
    uploads.removeOlder(Instant.now().plus(Duration.ofDays(1)), jobs::reads);
    assertThat(used).exists();
  }
}
