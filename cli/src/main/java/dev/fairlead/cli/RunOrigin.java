package dev.fairlead.cli;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Where a page comes from.
 *
 * @param command as it was given, so that it can be given again
 */
record RunOrigin(String command, String version, String date) {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm:ss xxx", Locale.ROOT);

  static RunOrigin of(CommandSpec spec) {
    ParseResult parsed = spec.root().commandLine().getParseResult();
    List<String> arguments = parsed == null ? List.of() : parsed.originalArgs();
    return new RunOrigin(
        arguments.stream().map(RunOrigin::quoted).collect(Collectors.joining(" ", "fairlead ", "")),
        new Version().getVersion()[0],
        ZonedDateTime.now(ZoneId.systemDefault()).format(DATE));
  }

  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  /** Rows of a table, with what else there is to say of the run. */
  String rows(List<List<String>> more) {
    StringBuilder rows = new StringBuilder();
    row(rows, "Command", command);
    row(rows, "Version", version);
    row(rows, "Date", date);
    more.forEach(each -> row(rows, each.getFirst(), each.getLast()));
    return rows.toString();
  }

  private static void row(StringBuilder rows, String name, String value) {
    rows.append("<tr><th>")
        .append(Html.escape(name))
        .append("</th><td class='wide'>")
        .append(Html.escape(value))
        .append("</td></tr>");
  }
}
