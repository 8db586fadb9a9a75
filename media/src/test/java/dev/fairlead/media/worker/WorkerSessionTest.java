package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.wire.Wire;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker tells while it works. */
class WorkerSessionTest {
  private static final int LONGEST_CLIP = 200;

  @TempDir private Path directory;

  @Test
  void workThatTakesLongGivesSignsUntilItsAnswer() throws Exception {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      try (Wire<Report, Command> parent =
              new Wire<>(SocketChannel.open(address), Report.class, () -> {});
          Wire<Command, Report> worker = new Wire<>(server.accept(), Command.class, () -> {})) {
        WorkerSession session = new WorkerSession(worker);
        List<Report> signs = new ArrayList<>();
        for (int seconds = 1; signs.isEmpty() && seconds < LONGEST_CLIP; seconds *= 2) {
          Path clip = directory.resolve(String.valueOf(seconds));
          session.obey(new Command.MakeClip(seconds, clip, seconds, 640, 360));
          signs.addAll(reportsBeforeTheAnswer(parent));
          assertThat(signs).isSubsetOf(new Report.Working(seconds));
        }
        assertThat(signs).isNotEmpty();
      }
    }
  }

  private static List<Report> reportsBeforeTheAnswer(Wire<Report, Command> parent)
      throws Exception {
    List<Report> before = new ArrayList<>();
    for (Report report = next(parent);
        !(report instanceof Report.MadeClip);
        report = next(parent)) {
      before.add(report);
    }
    return before;
  }

  private static Report next(Wire<Report, Command> parent) throws Exception {
    return Objects.requireNonNull(parent.receive(), "the worker has gone");
  }
}
