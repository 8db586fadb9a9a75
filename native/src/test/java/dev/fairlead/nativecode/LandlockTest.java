package dev.fairlead.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LandlockTest {
  @TempDir Path directory;
  private Path inside;
  private Path outside;

  @BeforeEach
  void twoFolders() throws IOException {
    inside = Files.createDirectory(directory.resolve("inside"));
    outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
  }

  @Test
  void thisKernelHasIt() {
    assertThat(Landlock.version()).isPositive();
  }

  @Test
  void aConfinedThreadWritesOnlyWhereItMay() {
    assertThat(confined(() -> Files.writeString(inside.resolve("a"), "b"))).isNull();
    assertThat(confined(() -> Files.writeString(outside.resolve("a"), "b")))
        .isInstanceOf(IOException.class);
    assertThat(outside.resolve("a")).doesNotExist();
  }

  @Test
  void aConfinedThreadReadsOnlyWhatItMay() {
    assertThat(confined(() -> Files.readString(outside.resolve("secret"))))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aConfinedThreadDoesNotConnect() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      assertThat(
              confined(() -> {
                new Socket(loopback, server.getLocalPort()).close();
                return null;
              }))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatAConfinedThreadStartsIsConfinedToo() throws Exception {
    Process process =
        confinedValue(() ->
            new ProcessBuilder("sh", "-c", "echo in > inside/x; echo out > outside/x; exit 0")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(inside.resolve("x")).exists();
    assertThat(outside.resolve("x")).doesNotExist();
  }

  @Test
  void otherThreadsStayAsTheyAre() throws IOException {
    assertThat(confined(() -> null)).isNull();
    assertThat(Files.readString(outside.resolve("secret"))).isEqualTo("secret");
  }

  @Test
  void aProcessMayHaveItsLimitsLowered() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      assertThat(ResourceLimits.lower(process.pid(), 100)).isTrue();
      assertThat(Files.readString(Path.of("/proc/" + process.pid() + "/limits")))
          .containsPattern("Max core file size +0 +0")
          .containsPattern("Max open files +100 +100");
    } finally {
      process.destroyForcibly();
    }
  }

  private Throwable confined(Callable<?> work) {
    CompletableFuture<?> result = start(work);
    return result.handle((value, failure) -> failure == null ? null : failure).join();
  }

  private <R> R confinedValue(Callable<R> work) {
    return start(work).join();
  }

  private <R> CompletableFuture<R> start(Callable<R> work) {
    CompletableFuture<R> result = new CompletableFuture<>();
    Landlock.Rules rules =
        new Landlock.Rules(
            Set.of(Path.of("/proc"), Path.of("/etc")),
            Set.of(inside, Path.of("/dev/null")),
            Set.of(Path.of("/usr"), Path.of("/bin"), Path.of("/lib"), Path.of("/lib64")),
            Set.of());
    Thread.ofPlatform()
        .start(() -> {
          try {
            Landlock.confineThread(rules);
            result.complete(work.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return result.orTimeout(60, TimeUnit.SECONDS);
  }
}
