package dev.fairlead.benchmarks;

/**
 * The numbers of a stream of events, line by line: after a number comes the next, unless the
 * service says that some are missing. Not for two threads at once.
 */
final class EventNumbers {
  private static final String ID = "id: ";
  private static final String NAME = "event: ";

  private String last = "";
  private String id = "";
  private String name = "";
  private long lost;

  /** Takes a line; gives the name of the event that it ends, or nothing. */
  String take(String line) {
    if (line.startsWith(ID)) {
      id = line.substring(ID.length());
    } else if (line.startsWith(NAME)) {
      name = line.substring(NAME.length());
    } else if (line.isEmpty() && !id.isEmpty()) {
      return end();
    }
    return "";
  }

  private String end() {
    if (!name.equals("reset")) {
      // The states that follow a reset have its number.
      lost += Math.max(0, number(id) - number(last) - 1);
    }
    last = id;
    id = "";
    return name;
  }

  static long number(String id) {
    return id.isEmpty() ? 0 : Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
  }

  /** The id of the last event; empty before the first. */
  String last() {
    return last;
  }

  /** How many are missing without a word. */
  long lost() {
    return lost;
  }
}
