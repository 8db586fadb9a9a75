package dev.fairlead.media.records;

import java.util.regex.Pattern;

/**
 * The name of an entry: its log, and its own name there.
 *
 * @param log parts in lower case or capital letters, digits and {@code -._}, with slashes between
 */
record RecordName(String log, String entry) {
  /** The name that begins a log: no other brings back one that was deleted. */
  static final String FIRST = number(0);

  private static final Pattern PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  RecordName {
    for (String part : log.split("/", -1)) {
      require(part, log);
    }
    require(entry, entry);
  }

  static RecordName parse(String name) {
    int cut = name.lastIndexOf('/');
    if (cut < 0) {
      throw new IllegalArgumentException("Not an entry of a log: \"" + name + "\"");
    }
    return new RecordName(name.substring(0, cut), name.substring(cut + 1));
  }

  private static void require(String part, String whole) {
    if (!PART.matcher(part).matches()) {
      throw new IllegalArgumentException("Not the name of a record: \"" + whole + "\"");
    }
  }

  /** The name of an entry by its number; names sort as numbers do. */
  static String number(long number) {
    return "%09d".formatted(number);
  }

  boolean begins() {
    return entry.equals(FIRST);
  }
}
