package dev.fairlead.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed bundle is what the sources of the page give. */
class BundleTest {
  private static final Path COMMITTED =
      Path.of("src/main/resources", PageRoutes.class.getPackageName().replace('.', '/'));

  @TempDir Path directory;

  @Test
  void theCommittedBundleIsWhatItsSourcesGive() throws Exception {
    TestingBundle.build(directory);

    assertThat(names(directory)).isEqualTo(names(COMMITTED));
    for (String name : names(COMMITTED)) {
      assertThat(Files.mismatch(directory.resolve(name), COMMITTED.resolve(name)))
          .as("%s is not what service/page gives; run npm ci && npm run build there", name)
          .isEqualTo(-1);
    }
  }

  @Test
  void theTestsOfItsSourcesPass() throws Exception {
    TestingBundle.test();
  }

  @Test
  void everyFileHasARoute() throws IOException {
    assertThat(PageRoutes.all().stream().map(route -> route.path().replaceFirst(".*/", "")))
        .containsExactlyInAnyOrderElementsOf(
            names(COMMITTED).stream().map(name -> name.equals("index.html") ? "" : name).toList());
  }

  @Test
  void theLockFileNamesNoHost() throws IOException {
    assertThat(Files.readString(Path.of("page/package-lock.json"))).doesNotContain("://");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
