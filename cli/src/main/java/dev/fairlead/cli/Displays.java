package dev.fairlead.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;

/** Chooses how a run is shown. */
final class Displays {
  private Displays() {}

  /** Plain lines. */
  static Display forPeople(PrintWriter out, PrintWriter err) {
    return new PlainDisplay(out, err);
  }

  static boolean isTerminal() {
    // Some JDKs give a console that is no terminal, others give none then.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && !"dumb".equals(System.getenv("TERM"));
  }
}
