package dev.fairlead.cli;

import dev.fairlead.device.BadTermException;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.service.client.ServiceException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What a user sees when a command fails: one line on standard error that says what happened and
 * what to do. The stack trace is printed only if it was asked for.
 */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private static final String JSON = "--json";

  private final BooleanSupplier verbose;

  Failures(BooleanSupplier verbose) {
    this.verbose = verbose;
  }

  /** Runs the last command given. Picocli passes on an {@link Error} unhandled; here it is not. */
  int runLast(ParseResult parsed) {
    try {
      return new RunLast().execute(parsed);
    } catch (Error e) {
      throw new ExecutionException(parsed.commandSpec().commandLine(), describe(e), e);
    }
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    String help = command.getCommandSpec().qualifiedName() + " --help";
    String what =
        failure instanceof UnmatchedArgumentException unmatched
            ? unknown(unmatched)
            : describe(failure);
    String line = what + (what.endsWith("?") ? "" : ".") + " Try '" + help + "'.";
    if (List.of(args).contains(JSON)) {
      command.getOut().println(misused(line));
      command.getOut().flush();
    }
    print(command, line);
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, @Nullable ParseResult parsed) {
    Throwable cause = failure.getCause();
    Throwable shown = failure instanceof ExecutionException && cause != null ? cause : failure;
    int exitCode = exitCode(shown);
    if (verbose.getAsBoolean()) {
      shown.printStackTrace(command.getErr());
      print(command, describe(shown));
    } else if (exitCode == ExitCode.SOFTWARE) {
      print(command, describe(shown) + " (add --verbose for the stack trace)");
    } else {
      print(command, describe(shown));
    }
    return exitCode;
  }

  private static int exitCode(Throwable failure) {
    return switch (failure) {
      case TranscodeException transcode -> TranscodeFailures.exitCode(transcode);
      case BadTermException badTerm -> ExitCode.USAGE;
      case HostException refused -> ExitCode.USAGE;
      case ServiceException service -> Services.exitCode(service);
      case UncheckedIOException storage -> TranscodeFailures.STORAGE;
      default -> ExitCode.SOFTWARE;
    };
  }

  private static void print(CommandLine command, String line) {
    command.getErr().println("fairlead: " + PlainDisplay.withoutControls(line));
    command.getErr().flush();
  }

  /** The message; before it the type, where the message was not written for a user. */
  static String describe(Throwable failure) {
    if (failure instanceof UncheckedIOException file) {
      return FileTrouble.words(file);
    }
    String type = failure.getClass().getSimpleName();
    String message =
        failure instanceof TranscodeException transcode
            ? TranscodeFailures.message(transcode)
            : failure.getMessage();
    if (message == null || message.isBlank()) {
      return type;
    }
    String line = message.lines().map(String::strip).collect(Collectors.joining(" "));
    return speaksToUsers(failure) ? line : type + ": " + line;
  }

  private static boolean speaksToUsers(Throwable failure) {
    return failure instanceof IllegalArgumentException
        || failure instanceof IllegalStateException
        || failure instanceof ParameterException
        || failure.getClass().getName().startsWith("dev.fairlead.");
  }

  /** The only event of a command that was not understood. */
  private static String misused(String error) {
    return JsonEvents.JSON.writeValueAsString(
        JsonEvents.JSON
            .createObjectNode()
            .put("event", "finished")
            .put("seconds", 0)
            .put("status", "failed")
            .put("exitCode", ExitCode.USAGE)
            .put("error", error));
  }

  private static String unknown(UnmatchedArgumentException failure) {
    String kind = failure.isUnknownOption() ? "option" : "command or argument";
    String line = "Unknown " + kind + " '" + failure.getUnmatched().getFirst() + "'";
    List<String> suggestions = failure.getSuggestions();
    return suggestions.isEmpty()
        ? line
        : line + ". Did you mean " + String.join(" or ", suggestions) + "?";
  }
}
