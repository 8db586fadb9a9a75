package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void printsTheVersionOfTheBuild() {
    assertThat(execute("--version")).isEqualTo(0);
    assertThat(out.toString()).matches("fairlead \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void printsTheHelpToStandardOutputWhenAsked() {
    assertThat(execute("--help")).isEqualTo(0);
    assertThat(out.toString()).startsWith("Usage: fairlead ").contains("--version", "--verbose");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void refusesToRunWithoutACommand() {
    assertThat(execute()).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).hasLineCount(1).contains("No command is given", "fairlead --help");
  }

  @Test
  void answersAMistypedOptionWithTheLikelyOne() {
    assertThat(execute("--versoin")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .hasLineCount(1)
        .contains("'--versoin'", "Did you mean", "--version", "fairlead --help");
  }

  @Test
  void answersAnUnknownCommandInOneLine() {
    assertThat(execute("frobnicate", "--fast")).isEqualTo(2);
    assertThat(err.toString())
        .hasLineCount(1)
        .startsWith("fairlead: Unknown command or argument 'frobnicate'")
        .contains("fairlead --help");
  }

  @Test
  void namesTheHelpOfTheSubcommandThatWasMisused() {
    assertThat(execute("fail", "--oops")).isEqualTo(2);
    assertThat(err.toString()).hasLineCount(1).contains("--oops", "fairlead fail --help");
  }

  @Test
  void printsAFailureInOneLine() {
    assertThat(executeFailing(new IllegalStateException("no device\nis free"))).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .hasLineCount(1)
        .startsWith("fairlead: no device is free (add --verbose");
  }

  @Test
  void namesTheTypeOfAFailureThatSpeaksToProgrammers() {
    assertThat(executeFailing(new IndexOutOfBoundsException("Index 3"))).isEqualTo(1);
    assertThat(err.toString()).startsWith("fairlead: IndexOutOfBoundsException: Index 3 (");
  }

  @Test
  void namesTheTypeOfAFailureWithoutAMessage() {
    assertThat(executeFailing(new IllegalStateException())).isEqualTo(1);
    assertThat(err.toString()).startsWith("fairlead: IllegalStateException (");
  }

  @Test
  void printsAnErrorOfTheJvmInOneLine() {
    assertThat(executeFailing(new OutOfMemoryError("Java heap space"))).isEqualTo(1);
    assertThat(err.toString())
        .hasLineCount(1)
        .startsWith("fairlead: OutOfMemoryError: Java heap space (");
  }

  @Test
  void printsTheStackTraceWhenAsked() {
    assertThat(executeFailing(new IllegalStateException("no device is free"), "--verbose"))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains("\tat " + MainTest.class.getName())
        .endsWith("fairlead: no device is free" + System.lineSeparator());
  }

  private int execute(String... args) {
    return execute(new IllegalStateException("not meant to run"), args);
  }

  private int executeFailing(Throwable failure, String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "fail";
    System.arraycopy(options, 0, args, 1, options.length);
    return execute(failure, args);
  }

  private int execute(Throwable failure, String... args) {
    CommandLine command = Main.commandLine().addSubcommand(new Failing(failure));
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  /** A subcommand that ends as the test wishes. */
  @Command(name = "fail", mixinStandardHelpOptions = true)
  private static final class Failing implements Callable<Integer> {
    private final Throwable failure;

    Failing(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      switch (failure) {
        case Exception e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(failure);
      }
    }
  }

  @Test
  void figuresOutOfRangeAreMistakesOfTheUser() {
    assertThat(TestingCommand.run("bench", "ladder", "--rounds", "0").code()).isEqualTo(2);
    assertThat(TestingCommand.run("bench", "simulate", "--seconds", "1").code()).isEqualTo(2);
    assertThat(TestingCommand.run("simulate", "--table", "--most-devices", "1").code())
        .isEqualTo(2);
  }
}
