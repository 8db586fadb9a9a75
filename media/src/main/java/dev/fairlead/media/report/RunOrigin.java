package dev.fairlead.media.report;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Where a page comes from.
 *
 * @param command as it was given, so that it can be given again
 */
public record RunOrigin(String command, String version, String date) {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm:ss xxx", Locale.ROOT);

  /** A page that is made now. */
  public static RunOrigin now(String command, String version) {
    return new RunOrigin(command, version, ZonedDateTime.now(ZoneId.systemDefault()).format(DATE));
  }

  /** Rows of a table, with what else there is to say of the run. */
  public String rows(List<List<String>> more) {
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
