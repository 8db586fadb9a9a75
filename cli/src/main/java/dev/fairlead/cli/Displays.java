package dev.fairlead.cli;

import dev.fairlead.nativecode.WindowSize;
import java.io.Console;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Chooses how a run is shown. */
final class Displays {
  private Displays() {}

  /** A live screen on a terminal, plain lines elsewhere. */
  static Display forPeople(PrintWriter out, PrintWriter err) {
    String noColour = System.getenv("NO_COLOR");
    return isTerminal()
        ? new LiveDisplay(out, noColour == null || noColour.isEmpty(), Displays::window)
        : new PlainDisplay(out, err);
  }

  /** The same for several transcodes. */
  static JobsDisplay ofJobs(PrintWriter out, PrintWriter err) {
    String noColour = System.getenv("NO_COLOR");
    return isTerminal()
        ? new JobsScreen(out, noColour == null || noColour.isEmpty(), Displays::window)
        : new JobsLines(out, err);
  }

  /** The same for transcodes at a service. */
  static RemoteDisplay ofService(PrintWriter out, PrintWriter err, List<RemoteOrder> orders) {
    String noColour = System.getenv("NO_COLOR");
    return isTerminal()
        ? new RemoteScreen(out, noColour == null || noColour.isEmpty(), Displays::window, orders)
        : new RemoteLines(out, err, orders.size() > 1);
  }

  /** The size of the terminal's window; a usual one if the terminal does not tell it. */
  static WindowSize window() {
    return WindowSize.ofOutput().orElse(new WindowSize(80, 24));
  }

  static boolean isTerminal() {
    // Some JDKs give a console that is no terminal, others give none then.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && !"dumb".equals(System.getenv("TERM"));
  }
}
