package dev.fairlead.doctor.run;

import dev.fairlead.doctor.host.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A process that looks at devices, as its parent sees it. It is ended with this object. */
final class CheckProcess implements AutoCloseable {
  private static final Duration TO_END = Duration.ofSeconds(5);
  private static final int KILLED = 128;

  /** What came: a message, the end of the process, or nothing in time. */
  sealed interface Heard {
    record Said(Message message) implements Heard {}

    record Ended(String how) implements Heard {}

    record Silent() implements Heard {}
  }

  private final Process process;
  private final Path folder;
  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

  private CheckProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  /**
   * Starts one.
   *
   * @param environment what it has in its environment beside what this process has
   */
  static CheckProcess start(Map<String, String> environment, List<String> arguments)
      throws IOException {
    Path folder = Files.createTempDirectory("fairlead-doctor");
    Path socket = folder.resolve("socket");
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    List<String> all = new ArrayList<>(List.of(socket.toString()));
    all.addAll(arguments);
    CheckProcess started =
        new CheckProcess(ChildJvm.start(ChildMain.class, all, environment, folder), folder);
    Thread.ofPlatform().daemon().start(() -> started.listen(server));
    // The accepting thread is freed also where the process ends before it has connected.
    var _ = started.process.onExit().thenRun(() -> closeLater(server));
    return started;
  }

  private static void closeLater(ServerSocketChannel server) {
    try {
      server.close();
    } catch (IOException alreadyClosed) {
      // There is nothing to free.
    }
  }

  private void listen(ServerSocketChannel server) {
    try (server;
        SocketChannel channel = server.accept();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        heard.add(new Heard.Said(Message.of(line)));
      }
    } catch (IOException broken) {
      // How the process ended says more.
    } finally {
      heard.add(new Heard.Ended(ending()));
    }
  }

  private String ending() {
    try {
      if (!process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
        return "hung up";
      }
      int code = process.exitValue();
      return code > KILLED ? "was ended by signal " + (code - KILLED) : "ended with code " + code;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "hung up";
    }
  }

  /** What comes next, if it comes in time. */
  Heard next(Duration patience) throws InterruptedException {
    Heard next = heard.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    return next == null ? new Heard.Silent() : next;
  }

  /** Where its temporary files are. */
  Path folder() {
    return folder;
  }

  /** Ends it and its workers, and removes what they had no time to remove. */
  @Override
  public void close() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(CheckProcess::awaitEnd);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException leftBehind) {
      // Temporary files of this user.
    }
  }

  /** What ends writes no more files. */
  private static void awaitEnd(ProcessHandle ending) {
    try {
      ending.onExit().get(TO_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException hung) {
      // A process in a driver's call may take long to end.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
