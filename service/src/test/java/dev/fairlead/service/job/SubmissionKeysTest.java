package dev.fairlead.service.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.job.JobState;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.policy.Priority;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed between the steps of a submission makes no job twice, and loses none.
 */
class SubmissionKeysTest {
  private static final SubmissionKey KEY = new SubmissionKey("a1", "b1");

  @TempDir Path directory;
  private DirectoryRecords records;
  private Instant now = Instant.now();

  /** Ends a process at this point. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void open() {
    records = DirectoryRecords.open(directory);
  }

  private SubmissionKeys start() {
    return new SubmissionKeys(records, () -> now);
  }

  private SubmissionKeys.Outcome submit(SubmissionKeys keys) {
    return keys.once(KEY, this::find, this::make);
  }

  private JobView make(JobId id) {
    JobLog _ = JobLog.begin(records, id, "submitted");
    return view(id);
  }

  private Optional<JobView> find(JobId id) {
    return JobLog.of(records, id).entries().isEmpty() ? Optional.empty() : Optional.of(view(id));
  }

  private static JobView view(JobId id) {
    return new JobView(
        id.value(),
        "",
        JobState.QUEUED,
        "",
        "",
        Priority.NORMAL,
        "",
        "",
        id.time(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0,
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void killedBeforeTheJobIsOnRecordTheNextTryMakesIt() {
    assertThatThrownBy(() ->
            start()
                .once(
                    KEY,
                    this::find,
                    _ -> {
                      throw new Killed();
                    }))
        .isInstanceOf(Killed.class);
    SubmissionKeys.Outcome next = submit(start());
    assertThat(next.isNew()).isTrue();
    assertThat(JobLog.jobs(records)).extracting(JobId::value).containsExactly(next.job().id());
  }

  @Test
  void killedAfterTheJobIsOnRecordTheNextTryFindsIt() {
    assertThatThrownBy(() ->
            start()
                .once(
                    KEY,
                    this::find,
                    id -> {
                      make(id);
                      throw new Killed();
                    }))
        .isInstanceOf(Killed.class);
    SubmissionKeys.Outcome next = submit(start());
    assertThat(next.isNew()).isFalse();
    assertThat(JobLog.jobs(records)).extracting(JobId::value).containsExactly(next.job().id());
  }

  @Test
  void aJobThatWasDeletedIsNotMadeAgain() {
    assertThatThrownBy(() ->
            start()
                .once(
                    KEY,
                    this::find,
                    id -> {
                      make(id);
                      throw new Killed();
                    }))
        .isInstanceOf(Killed.class);
    SubmissionKeys keys = start();
    JobLog.jobs(records).forEach(id -> JobLog.of(records, id).delete());
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> submit(keys))
        .satisfies(problem -> assertThat(problem.details().status()).isEqualTo(409));
  }

  @Test
  void whatWasRefusedLeavesNoKey() {
    SubmissionKeys keys = start();
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() ->
            keys.once(
                KEY,
                this::find,
                _ -> {
                  throw Problem.of(Status.TOO_MANY, "full");
                }));
    assertThat(records.list("keys")).isEmpty();
    assertThat(submit(keys).isNew()).isTrue();
  }

  @Test
  void oneSubmissionWithAKeyIsUnderWayAtATime() {
    SubmissionKeys keys = start();
    keys.once(
        KEY,
        this::find,
        id -> {
          assertThatExceptionOfType(Problem.class)
              .isThrownBy(() -> submit(keys))
              .satisfies(problem -> {
                assertThat(problem.details().status()).isEqualTo(409);
                assertThat(problem.headers()).containsKey("Retry-After");
              });
          return make(id);
        });
  }

  @Test
  void aKeyIsKnownForADay() {
    SubmissionKeys.Outcome first = submit(start());
    now = first.job().createdAt().plus(SubmissionKeys.KEPT).minusSeconds(1);
    assertThat(submit(start()).isNew()).isFalse();
    now = now.plusSeconds(2);
    SubmissionKeys later = start();
    assertThat(records.list("keys")).isEmpty();
    assertThat(submit(later).job().id()).isNotEqualTo(first.job().id());
  }
}
