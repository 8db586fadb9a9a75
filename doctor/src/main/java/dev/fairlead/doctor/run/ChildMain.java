package dev.fairlead.doctor.run;

import dev.fairlead.device.Discovery;
import dev.fairlead.doctor.check.Busy;
import dev.fairlead.doctor.check.Check;
import dev.fairlead.doctor.check.Checks;
import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.check.Subject;
import dev.fairlead.doctor.host.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A process that looks at devices and tells its parent over a socket. Started by that alone. */
public final class ChildMain {
  static final String PLAN = "plan";
  static final String CHECK = "check";

  private final OutputStream out;

  private ChildMain(OutputStream out) {
    this.out = out;
  }

  /**
   * Takes the socket; what to do; the options; then, to plan, the terms of devices; or, to check, a
   * subject, its terms, and the ids of checks.
   */
  public static void main(String[] arguments) throws IOException {
    Thread.ofPlatform().daemon().start(ChildMain::endWithParent);
    UnixDomainSocketAddress parent = UnixDomainSocketAddress.of(Path.of(arguments[0]));
    try (SocketChannel channel = SocketChannel.open(parent)) {
      ChildMain child = new ChildMain(Channels.newOutputStream(channel));
      Options options = Options.of(arguments[2]);
      if (arguments[1].equals(PLAN)) {
        child.tell(Message.planned(Planning.of(Machine.here(), arguments[3], options.thorough())));
      } else {
        child.check(
            arguments[3],
            arguments[4],
            options,
            Arrays.asList(arguments).subList(5, arguments.length));
      }
      child.tell(Message.end());
    }
    // A driver may have left threads that never end.
    Runtime.getRuntime().halt(0);
  }

  /** What is left alone here is ended, and the workers of this process with it. */
  private static void endWithParent() {
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    Runtime.getRuntime().halt(1);
  }

  private void tell(Message message) throws IOException {
    out.write(message.line().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void check(String subject, String terms, Options options, List<String> ids)
      throws IOException {
    try (Subject looked =
        new Subject(Machine.here(), () -> Discovery.find(terms), options.effort())) {
      for (Check check : checks(subject, looked, options.thorough())) {
        if (ids.contains(check.id())) {
          tell(Message.begun(check.id()));
          tell(Message.found(run(check, looked, options).of(check.id(), subject)));
        }
      }
    }
  }

  private static List<Check> checks(String subject, Subject looked, boolean thorough) {
    return switch (subject) {
      case Planned.MACHINE -> Checks.ofMachine();
      case Planned.ALL -> Checks.ofAll(looked.devices());
      default -> Checks.of(looked.device(), thorough);
    };
  }

  private static Finding run(Check check, Subject subject, Options options) {
    try {
      if (check.disturbs()) {
        if (!options.thorough()) {
          return Finding.skip("others may notice it; --thorough runs it");
        }
        Optional<String> others = options.evenIfBusy() ? Optional.empty() : Busy.reason(subject);
        if (others.isPresent()) {
          return Finding.skip(others.get() + "; --even-if-busy runs it all the same");
        }
      }
      return check.run(subject);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Finding.skip("interrupted");
    } catch (Exception | LinkageError failure) {
      String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
      return Finding.fail(
          reason, "Look into dmesg; if the driver is current, report what is above");
    }
  }
}
