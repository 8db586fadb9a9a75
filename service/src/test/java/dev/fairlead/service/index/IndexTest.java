package dev.fairlead.service.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexTest {
  private static final JobTable.Filter ALL =
      new JobTable.Filter(Optional.empty(), Optional.empty(), Optional.empty());

  @TempDir private Path data;

  private static JobTable.Row job(String id, String state, String tenant) {
    return new JobTable.Row(
        id, state, tenant, "/in/" + id, "/out/" + id, Instant.ofEpochMilli(id.length()), "{}");
  }

  private static List<String> ids(List<JobTable.Row> rows) {
    return rows.stream().map(JobTable.Row::id).toList();
  }

  @Test
  void keepsWhatWasWrittenForTheNextOne() {
    try (Index index = Index.open(data)) {
      new JobTable(index).put(job("a", "done", "films"), Optional.empty());
    }
    try (Index index = Index.open(data)) {
      assertThat(new JobTable(index).find("a")).contains(job("a", "done", "films"));
    }
  }

  @Test
  void pagesGoOnBelowAnId() {
    try (Index index = Index.open(data)) {
      JobTable jobs = new JobTable(index);
      for (String id : List.of("b", "d", "a", "c")) {
        jobs.put(
            job(id, id.equals("b") ? "failed" : "done", id.equals("c") ? "news" : "films"),
            Optional.empty());
      }
      assertThat(ids(jobs.page(ALL, 3))).containsExactly("d", "c", "b");
      assertThat(
              ids(
                  jobs.page(
                      new JobTable.Filter(Optional.empty(), Optional.empty(), Optional.of("b")),
                      3)))
          .containsExactly("a");
      assertThat(
              ids(
                  jobs.page(
                      new JobTable.Filter(
                          Optional.of("done"), Optional.of("films"), Optional.empty()),
                      3)))
          .containsExactly("d", "a");
    }
  }

  @Test
  void isMadeAgainIfItIsDamaged() throws IOException {
    try (Index index = Index.open(data)) {
      new JobTable(index).put(job("a", "done", "films"), Optional.empty());
    }
    Files.writeString(data.resolve("index.sqlite"), "no database at all");
    try (Index index = Index.open(data)) {
      assertThat(new JobTable(index).ids()).isEmpty();
    }
  }

  @Test
  void isMadeAgainIfItIsOfAnotherVersion() {
    try (Index index = Index.open(data)) {
      new JobTable(index).put(job("a", "done", "films"), Optional.empty());
      index.write(connection -> {
        try (Statement statement = connection.createStatement()) {
          return statement.executeUpdate("PRAGMA user_version = " + (Schema.VERSION + 1));
        }
      });
    }
    try (Index index = Index.open(data)) {
      assertThat(new JobTable(index).ids()).isEmpty();
    }
  }

  @Test
  void aPieceOfWorkThatFailsHasChangedNothing() {
    try (Index index = Index.open(data)) {
      assertThatThrownBy(() ->
              index.write(connection -> {
                JobTable.put(connection, job("a", "done", "films"));
                throw new SQLException("no more");
              }))
          .isInstanceOf(IndexException.class)
          .hasMessageContaining("no more");
      assertThat(new JobTable(index).ids()).isEmpty();
    }
  }

  @Test
  void isRefusedWhenItIsClosed() {
    Index index = Index.open(data);
    index.close();
    assertThatThrownBy(() -> new JobTable(index).ids()).isInstanceOf(IllegalStateException.class);
  }
}
