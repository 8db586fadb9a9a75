package dev.fairlead.media.store;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The written form of a journal: a line for each entry, {@code checksum kind value…}, with tabs
 * between and backslashes before tabs, line breaks and backslashes in values.
 *
 * <p>The checksum, in hexadecimal, is over the checksum of the line before and the rest of this
 * one: a line that is lost, doubled or moved shows as much as one that is changed.
 */
final class JournalText {
  static final String FIRST = "00000000";
  private static final int CHECKSUM_CHARS = 8;

  private JournalText() {}

  /** A line, without its end. */
  static String line(String before, JournalEntry entry) {
    String rest = String.join("\t", values(entry).map(JournalText::escaped).toList());
    return checksum(before, rest) + "\t" + rest;
  }

  static String checksumOf(String line) {
    return line.substring(0, CHECKSUM_CHARS);
  }

  static boolean isWhole(String before, String line) {
    return line.length() > CHECKSUM_CHARS + 1
        && line.charAt(CHECKSUM_CHARS) == '\t'
        && checksumOf(line).equals(checksum(before, line.substring(CHECKSUM_CHARS + 1)));
  }

  /**
   * Reads a whole line.
   *
   * @throws IllegalArgumentException if it is of another version
   */
  static JournalEntry entry(String line) {
    List<String> all = Stream.of(line.split("\t", -1)).skip(1).map(JournalText::unescaped).toList();
    List<String> values = all.subList(1, all.size());
    try {
      return switch (all.getFirst()) {
        case "begun" -> new JournalEntry.Begun(Fingerprint.parse(values.get(0)));
        case "invariant" -> new JournalEntry.Promise(values.get(0), values.get(1), values.get(2));
        case "started" ->
            new JournalEntry.Started(
                UnitId.parse(values.get(0)),
                DeviceId.of(values.get(1)),
                Integer.parseInt(values.get(2)));
        case "committed" ->
            new JournalEntry.Committed(
                UnitId.parse(values.get(0)),
                values.get(1),
                Long.parseLong(values.get(2)),
                Long.parseLong(values.get(3)),
                values.get(4));
        case "sound" ->
            new JournalEntry.Sound(
                values.get(0),
                values.get(1),
                values.get(2),
                Integer.parseInt(values.get(3)),
                Integer.parseInt(values.get(4)),
                Long.parseLong(values.get(5)),
                Long.parseLong(values.get(6)),
                values.subList(7, values.size()));
        case "failed" ->
            new JournalEntry.Failed(
                UnitId.parse(values.get(0)), DeviceId.of(values.get(1)), values.get(2));
        case "crashed" -> new JournalEntry.Crashed(values.stream().map(UnitId::parse).toList());
        case "condemned" ->
            new JournalEntry.Condemned(
                UnitId.parse(values.get(0)), values.subList(1, values.size()));
        case "published" ->
            new JournalEntry.Published(values.get(0), Long.parseLong(values.get(1)), values.get(2));
        case "finished" -> new JournalEntry.Finished();
        default ->
            throw new IllegalArgumentException(
                "unknown entry \"%s\": was it written by another version?"
                    .formatted(all.getFirst()));
      };
    } catch (IndexOutOfBoundsException few) {
      throw new IllegalArgumentException("too few values in \"" + line + "\"", few);
    }
  }

  private static Stream<String> values(JournalEntry entry) {
    return switch (entry) {
      case JournalEntry.Begun begun -> Stream.of("begun", begun.fingerprint().text());
      case JournalEntry.Promise promise ->
          Stream.of("invariant", promise.rung(), promise.config(), promise.init());
      case JournalEntry.Started started ->
          Stream.of(
              "started",
              started.unit().toString(),
              started.device().value(),
              Integer.toString(started.attempt()));
      case JournalEntry.Committed committed ->
          Stream.of(
              "committed",
              committed.unit().toString(),
              committed.file(),
              Long.toString(committed.frames()),
              Long.toString(committed.bytes()),
              committed.checksum());
      case JournalEntry.Sound sound ->
          Stream.concat(
              Stream.of(
                  "sound",
                  sound.track(),
                  sound.codec(),
                  sound.header(),
                  Integer.toString(sound.channels()),
                  Integer.toString(sound.sampleRate()),
                  Long.toString(sound.skip()),
                  Long.toString(sound.pieces())),
              sound.notices().stream());
      case JournalEntry.Failed failed ->
          Stream.of("failed", failed.unit().toString(), failed.device().value(), failed.reason());
      case JournalEntry.Crashed crashed ->
          Stream.concat(Stream.of("crashed"), crashed.inFlight().stream().map(UnitId::toString));
      case JournalEntry.Condemned condemned ->
          Stream.concat(
              Stream.of("condemned", condemned.unit().toString()), condemned.reasons().stream());
      case JournalEntry.Published published ->
          Stream.of(
              "published", published.path(), Long.toString(published.bytes()), published.sha256());
      case JournalEntry.Finished _ -> Stream.of("finished");
    };
  }

  static String checksum(String before, String rest) {
    CRC32C check = new CRC32C();
    check.update(before.getBytes(StandardCharsets.UTF_8));
    check.update(rest.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(check.getValue());
  }

  private static String escaped(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String unescaped(String value) {
    StringBuilder text = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (each == '\\' && i + 1 < value.length()) {
        i++;
        text.append(
            switch (value.charAt(i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> value.charAt(i);
            });
      } else {
        text.append(each);
      }
    }
    return text.toString();
  }
}
