package dev.fairlead.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A benchmark as a command: rounds, progress on the error stream, figures for people or as JSON.
 */
abstract class BenchRun implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds; a figure is the median (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchRun() {}

  /**
   * What was measured, in both forms.
   *
   * @param wrong what makes the figures worthless; empty if nothing does
   */
  record Answer(String json, String table, String wrong) {
    Answer(String json, String table) {
      this(json, table, "");
    }
  }

  abstract Answer measure(int rounds, Consumer<String> progress)
      throws IOException, InterruptedException;

  @Override
  public final void run() {
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    try {
      if (rounds < 1) {
        throw new IllegalArgumentException("--rounds is at least one");
      }
      Answer answer =
          measure(
              rounds,
              line -> {
                err.println(line);
                err.flush();
              });
      out.println(json ? answer.json() : answer.table());
      out.flush();
      if (!answer.wrong().isEmpty()) {
        throw new IllegalStateException(answer.wrong());
      }
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    } catch (IOException failure) {
      throw new IllegalStateException(
          "The benchmark did not run: " + failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupted);
    }
  }
}
