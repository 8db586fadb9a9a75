package dev.fairlead.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The command as a user meets it: arguments in, exit code and text out. */
record TestingCommand(int code, String out, String err) {
  static TestingCommand run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] args = new String[arguments.length];
    for (int i = 0; i < args.length; i++) {
      args[i] = arguments[i].toString();
    }
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new TestingCommand(code, out.toString(), err.toString());
  }
}
