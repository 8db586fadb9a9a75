package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.nativecode.Niceness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker is shared: what happens to a thread that talks to it is no harm to the others. */
class WorkerProcessTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private WorkerProcess start() throws Exception {
    return WorkerProcess.start(
        directory.resolve("log"),
        Confinement.to(List.of(directory), List.of(directory)),
        report -> {});
  }

  private void assertAnswers(WorkerProcess worker) {
    Path absent = directory.resolve("absent.mp4");
    assertThatThrownBy(
            () -> worker.ask(number -> new Command.InspectSource(number, absent), PATIENCE))
        .isInstanceOfSatisfying(
            FailedException.class,
            failed ->
                assertThat(failed.failure().kind())
                    .as(failed.getMessage())
                    .isEqualTo(Failure.Kind.UNREADABLE));
  }

  @Test
  void outlivesTheInterruptionOfAThreadThatTellsItSomething() throws Exception {
    try (WorkerProcess worker = start()) {
      onAnInterruptedThread(() -> {
        worker.send(new Command.Release(0));
        return null;
      });
      assertAnswers(worker);
    }
  }

  @Test
  void yieldsTheProcessorToItsOwner() throws Exception {
    try (WorkerProcess worker = start()) {
      int own = Niceness.of(ProcessHandle.current().pid());
      assertThat(Niceness.of(worker.pid())).isEqualTo(Math.min(19, own + WorkerJvm.NICER));
    }
  }

  @Test
  void outlivesTheInterruptionOfAThreadThatAsks() throws Exception {
    try (WorkerProcess worker = start()) {
      assertThatThrownBy(() ->
              onAnInterruptedThread(() ->
                  worker.ask(number -> new Command.InspectSource(number, directory), PATIENCE)))
          .hasRootCauseInstanceOf(InterruptedException.class);
      assertAnswers(worker);
    }
  }

  @Test
  void startsOnAThreadThatIsInterrupted() throws Exception {
    try (WorkerProcess worker = onAnInterruptedThread(this::start)) {
      assertAnswers(worker);
    }
  }

  private static <T> T onAnInterruptedThread(Callable<T> work) throws Exception {
    FutureTask<T> task =
        new FutureTask<>(() -> {
          Thread.currentThread().interrupt();
          return work.call();
        });
    Thread.ofPlatform().start(task);
    return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
