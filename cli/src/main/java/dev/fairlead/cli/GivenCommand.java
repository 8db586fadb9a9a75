package dev.fairlead.cli;

import dev.fairlead.media.report.RunOrigin;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command as it was given, for pages that say where they come from. */
final class GivenCommand {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private GivenCommand() {}

  static RunOrigin origin(CommandSpec spec) {
    ParseResult parsed = spec.root().commandLine().getParseResult();
    List<String> arguments = parsed == null ? List.of() : parsed.originalArgs();
    return RunOrigin.now(
        arguments.stream()
            .map(GivenCommand::quoted)
            .collect(Collectors.joining(" ", "fairlead ", "")),
        new Version().getVersion()[0]);
  }

  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
