package dev.fairlead.media.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastEntryTest {
  @TempDir private Path root;

  @Test
  void theLastCountsAndThoseBeforeItGo() {
    Records records = DirectoryRecords.open(root);
    LastEntry shares = new LastEntry(records, "shares");
    assertThat(shares.read()).isEmpty();
    for (int each = 0; each < 5; each++) {
      shares.write("entry " + each);
      assertThat(new LastEntry(DirectoryRecords.open(root), "shares").read())
          .hasValue("entry " + each);
    }
    assertThat(records.list("shares")).containsExactly("shares/000000004");
  }

  /** As a writer leaves it that is killed before it deletes. */
  @Test
  void anOlderOneThatIsStillThereDoesNotCount() {
    Records records = DirectoryRecords.open(root);
    new LastEntry(records, "shares").write("old");
    records.create("shares/000000001", "new".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    LastEntry shares = new LastEntry(records, "shares");
    assertThat(shares.read()).hasValue("new");
    shares.write("newest");
    assertThat(shares.read()).hasValue("newest");
    assertThat(records.list("shares")).hasSize(1);
  }
}
