package dev.fairlead.service.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.service.http.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootsTest {
  @TempDir Path directory;
  private Path root;
  private Path outside;
  private Roots roots;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    outside = Files.writeString(directory.toRealPath().resolve("secret"), "x");
    Files.writeString(root.resolve("film.mp4"), "x");
    Files.createDirectory(root.resolve("sub"));
    Files.createSymbolicLink(root.resolve("out"), directory.toRealPath());
    Files.createSymbolicLink(root.resolve("link.mp4"), outside);
    Files.createSymbolicLink(root.resolve("inside.mp4"), root.resolve("film.mp4"));
    roots = new Roots(List.of(root));
  }

  private String refused(Runnable call) {
    return catchThrowableOfType(Problem.class, call::run).details().errors().getFirst().detail();
  }

  @Test
  void filesBelowARootCanBeNamed() {
    assertThat(roots.input("film.mp4", "/input")).isEqualTo(root.resolve("film.mp4"));
    assertThat(roots.input(root.resolve("film.mp4").toString(), "/input"))
        .isEqualTo(root.resolve("film.mp4"));
    assertThat(roots.input("inside.mp4", "/input")).isEqualTo(root.resolve("film.mp4"));
    assertThat(roots.output("sub/new/deep", "/output")).isEqualTo(root.resolve("sub/new/deep"));
  }

  @Test
  void nothingOutsideCan() {
    for (String path :
        List.of(
            outside.toString(),
            "../secret",
            "sub/../../secret",
            "link.mp4",
            "out/secret",
            "/etc/passwd",
            "/dev/null",
            "/dev/zero",
            "/no/such/file")) {
      assertThat(refused(() -> roots.input(path, "/input")))
          .as(path)
          .isIn("The path is not below a root of this server", "A path is to be without . and ..");
    }
    for (String path :
        List.of("../new", "out/new", "/tmp/new", directory.resolve("new").toString())) {
      assertThat(refused(() -> roots.output(path, "/output")))
          .as(path)
          .isIn("The path is not below a root of this server", "A path is to be without . and ..");
    }
  }

  @Test
  void whatIsNoFileOrNoDirectoryIsSaid() {
    assertThat(refused(() -> roots.input("sub", "/input"))).isEqualTo("sub is no file");
    assertThat(refused(() -> roots.input("none.mp4", "/input")))
        .isEqualTo("There is no such file below a root");
    assertThat(refused(() -> roots.input("http://host/film.mp4", "/input")))
        .contains("no such file");
    assertThat(refused(() -> roots.input("a\0b", "/input"))).isEqualTo("This is no path");
    assertThat(refused(() -> roots.output("film.mp4/x", "/output"))).contains("no directory");
    assertThat(refused(() -> roots.output(root.toString(), "/output")))
        .contains("not the root itself");
  }

  @Test
  void withoutARootNoFileCanBeNamed() throws IOException {
    Roots none = new Roots(List.of());
    assertThat(refused(() -> none.input("film.mp4", "/input"))).contains("--root");
  }
}
