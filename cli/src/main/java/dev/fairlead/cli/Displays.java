package dev.fairlead.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;

/** Chooses how a run is shown. */
final class Displays {
  private Displays() {}

  /** A live screen on a terminal, plain lines elsewhere. */
  static Display forPeople(PrintWriter out, PrintWriter err) {
    String noColour = System.getenv("NO_COLOR");
    return isTerminal()
        ? new LiveDisplay(out, noColour == null || noColour.isEmpty())
        : new PlainDisplay(out, err);
  }

  static boolean isTerminal() {
    // Some JDKs give a console that is no terminal, others give none then.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && !"dumb".equals(System.getenv("TERM"));
  }
}
