package dev.fairlead.media.records;

/** How a job has ended; written once. */
public sealed interface JobEnd {
  /** All of it is made. */
  record Done() implements JobEnd {}

  /** It could not be made, and this is why. */
  record Failed(String reason) implements JobEnd {}

  /** It is not wanted any more, and this is why. */
  record Cancelled(String reason) implements JobEnd {}

  /** Its written form: a word, and the reason after a space. */
  default String text() {
    return switch (this) {
      case Done _ -> "done";
      case Failed failed -> "failed " + failed.reason();
      case Cancelled cancelled -> "cancelled " + cancelled.reason();
    };
  }

  /** Reads what {@link #text} wrote. */
  static JobEnd parse(String text) {
    int cut = text.indexOf(' ');
    String reason = text.substring(cut + 1);
    return switch (cut < 0 ? text : text.substring(0, cut)) {
      case "done" -> new Done();
      case "failed" -> new Failed(reason);
      case "cancelled" -> new Cancelled(reason);
      default -> throw new IllegalArgumentException("Not the end of a job: \"" + text + "\"");
    };
  }
}
