package dev.fairlead.service.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.service.http.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of each tenant, and of all, is taken in. */
class AdmissionTest {
  @TempDir Path directory;
  private final List<JobStatus> jobs = new ArrayList<>();
  private Tenants tenants;
  private Admission admission;
  private Path source;

  @BeforeEach
  void open() throws IOException {
    tenants = new Tenants(DirectoryRecords.open(directory.resolve("records")), _ -> {});
    admission = new Admission(tenants, () -> jobs, () -> false);
    source = Files.write(directory.resolve("source.mp4"), new byte[100]);
  }

  private void add(int count, String tenant, JobState state) {
    for (int each = 0; each < count; each++) {
      jobs.add(
          new JobStatus(
              JobId.create(),
              source,
              directory.resolve("out"),
              state,
              "",
              tenant,
              Priority.NORMAL,
              Optional.empty(),
              JobFacts.NONE,
              Map.of()));
    }
  }

  private static void assertTooMany(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.details().status()).isEqualTo(429);
              assertThat(problem.details().detail()).contains(why);
              assertThat(problem.headers()).containsKey("Retry-After");
            });
  }

  @Test
  void bytesOfATenantThatWaitOrRunAreBounded() {
    tenants.put("films", new TenantTerms(Optional.empty(), Optional.empty(), Optional.of(250L)));
    add(1, "films", JobState.QUEUED);
    add(5, "films", JobState.DONE); // they take no room any more
    add(5, "news", JobState.RUNNING);
    assertThat(admission.<String>admit("films", source, () -> "in")).isEqualTo("in");
    add(1, "films", JobState.RUNNING);
    assertTooMany(() -> admission.admit("films", source, () -> "in"), "200 bytes already");
    assertThat(admission.<String>admit("news", source, () -> "in")).isEqualTo("in");
  }

  @Test
  void jobsOfATenantThatWaitAreBoundedAndThoseThatRunDoNotCount() {
    tenants.put("films", new TenantTerms(Optional.empty(), Optional.of(2), Optional.empty()));
    add(9, "films", JobState.RUNNING);
    add(1, "films", JobState.PAUSED);
    assertThat(admission.<String>admit("films", source, () -> "in")).isEqualTo("in");
    add(1, "films", JobState.PARKED);
    assertTooMany(() -> admission.admit("films", source, () -> "in"), "films");
  }

  @Test
  void allJobsThatAreNotOverAreBounded() {
    for (int tenant = 0; tenant < 10; tenant++) {
      add(Admission.MOST_JOBS / 10, "tenant" + tenant, JobState.QUEUED);
    }
    add(10, "tenant0", JobState.FAILED);
    assertTooMany(() -> admission.admit("another", source, () -> "in"), "which is the most");
    jobs.removeFirst();
    assertThat(admission.<String>admit("another", source, () -> "in")).isEqualTo("in");
  }
}
