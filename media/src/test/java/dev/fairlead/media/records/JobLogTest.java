package dev.fairlead.media.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLogTest {
  @TempDir private Path root;

  @Test
  void idsAreInTheOrderOfTimeAndNeverTheSame() {
    List<JobId> ids = Stream.generate(JobId::create).limit(10_000).toList();
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids).allSatisfy(id -> assertThat(JobId.parse(id.toString())).isEqualTo(id));
    assertThatThrownBy(() -> JobId.parse("../x")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void entriesOfSeveralWritersEachHaveANumberOfTheirOwn() {
    JobId id = JobId.create();
    JobLog log = JobLog.begin(DirectoryRecords.open(root), id, "submitted");
    Set<Long> numbers = new ConcurrentSkipListSet<>();
    IntStream.range(0, 40)
        .parallel()
        .forEach(each ->
            numbers.add(JobLog.of(DirectoryRecords.open(root), id).append("entry " + each)));
    assertThat(numbers).hasSize(40).doesNotContain(0L);
    assertThat(log.entries()).hasSize(41).first().isEqualTo("submitted");
    assertThat(JobLog.jobs(DirectoryRecords.open(root))).containsExactly(id);
  }

  @Test
  void aJobHasOneEnd() {
    Records records = DirectoryRecords.open(root);
    JobLog log = JobLog.begin(records, JobId.create(), "submitted");
    assertThat(log.end()).isEmpty();
    JobEnd cancelled = new JobEnd.Cancelled("by its user");
    assertThat(log.end(cancelled)).isEqualTo(cancelled);
    assertThat(log.end(new JobEnd.Done())).isEqualTo(cancelled);
    assertThat(JobLog.of(records, log.id()).end()).hasValue(cancelled);
    assertThat(log.entries()).containsExactly("submitted");
  }

  @Test
  void aJobThatIsOpenedAgainHasOneMoreEnd() {
    Records records = DirectoryRecords.open(root);
    JobLog log = JobLog.begin(records, JobId.create(), "submitted");
    assertThatThrownBy(log::reopen).isInstanceOf(IllegalStateException.class);
    log.end(new JobEnd.Failed("its source is gone"));
    log.reopen();
    assertThat(log.isOver()).isFalse();
    assertThat(log.end()).isEmpty();
    assertThat(log.append("again")).isEqualTo(1);
    assertThat(log.end(new JobEnd.Done())).isEqualTo(new JobEnd.Done());
    assertThat(log.end(new JobEnd.Failed("late"))).isEqualTo(new JobEnd.Done());
    assertThat(log.isOver()).isTrue();
    assertThat(log.entries()).containsExactly("submitted", "again");
    log.delete();
    assertThat(JobLog.jobs(records)).isEmpty();
  }

  @Test
  void anIdIsNotUsedAgain() {
    Records records = DirectoryRecords.open(root);
    JobId id = JobId.create();
    JobLog log = JobLog.begin(records, id, "submitted");
    assertThatThrownBy(() -> JobLog.begin(records, id, "again"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(id.toString());
    log.end(new JobEnd.Failed("its source is gone"));
    log.delete();
    assertThat(JobLog.jobs(records)).isEmpty();
    assertThatThrownBy(() -> log.append("late")).isInstanceOf(Records.Gone.class);
    assertThatThrownBy(() -> log.end(new JobEnd.Done())).isInstanceOf(Records.Gone.class);
  }
}
