package dev.fairlead.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpusTest {

  /** What the system says that the current thread may run on. */
  private static String allowed() {
    try {
      return Files.readString(Path.of("/proc/thread-self/status"))
          .lines()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .findFirst()
          .orElseThrow()
          .replace("Cpus_allowed_list:", "")
          .strip();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static <R> R onAThreadOfItsOwn(Supplier<R> work) throws InterruptedException {
    CompletableFuture<R> result = new CompletableFuture<>();
    Thread.ofPlatform().start(() -> result.complete(work.get())).join();
    return result.join();
  }

  @Test
  void aThreadStaysOnTheProcessorsThatItIsConfinedTo() throws Exception {
    String before = allowed();
    String first = before.replaceAll("[-,].*", "");
    assertThat(
            onAThreadOfItsOwn(
                () -> Cpus.of(first + ",1000-1003").confineThread() ? allowed() : "refused"))
        .as("of those named, the one that it may run on")
        .isEqualTo(first);
    assertThat(allowed()).as("other threads").isEqualTo(before);
  }

  @Test
  void aThreadThatMayRunOnNoneOfThemStaysAsItIs() throws Exception {
    String before = allowed();
    for (Cpus none : new Cpus[] {Cpus.any(), Cpus.of(""), Cpus.of("1000-1003")}) {
      assertThat(onAThreadOfItsOwn(() -> none.confineThread() ? "confined" : allowed()))
          .isEqualTo(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "3-1", "1,,2", "-"})
  void whatIsNoListIsRefused(String list) {
    assertThatThrownBy(() -> Cpus.of(list)).isInstanceOf(IllegalArgumentException.class);
  }
}
