package dev.fairlead.service.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes of a file a request asks for. Several ranges at once are answered with the whole
 * file, which a server may always do.
 *
 * @param status 200, 206, 304 or 416
 * @param from the first byte that is sent
 * @param length how many are
 * @param size how many the file has
 */
record FileAnswer(int status, long from, long length, long size, String etag) {
  private static final int PARTIAL = 206;
  static final int NOT_MODIFIED = 304;
  private static final int UNSATISFIABLE = 416;
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /** Reads the file's size and time now; its bytes are read later. */
  static FileAnswer of(Answer.Content content, Call.Headers headers) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(content.file(), BasicFileAttributes.class);
    long size = attributes.size();
    String etag =
        "\"%s\""
            .formatted(
                content
                    .etag()
                    .orElseGet(
                        () -> "%x-%x".formatted(size, attributes.lastModifiedTime().toMillis())));
    if (isKnown(headers, etag)) {
      return new FileAnswer(NOT_MODIFIED, 0, 0, size, etag);
    }
    Optional<String> range =
        headers.value("Range").filter(_ -> headers.value("If-Range").orElse(etag).equals(etag));
    Matcher parts = RANGE.matcher(range.orElse("").replace(" ", ""));
    if (!parts.matches() || (parts.group(1).isEmpty() && parts.group(2).isEmpty())) {
      return new FileAnswer(Answer.OK, 0, size, size, etag);
    }
    boolean suffix = parts.group(1).isEmpty();
    long last = parts.group(2).isEmpty() ? size - 1 : Long.parseLong(parts.group(2));
    long from = suffix ? Math.max(0, size - last) : Long.parseLong(parts.group(1));
    long to = suffix ? size : Math.min(size, last + 1);
    if (!suffix && last < from && !parts.group(2).isEmpty()) {
      return new FileAnswer(Answer.OK, 0, size, size, etag); // no range at all
    }
    return from >= to
        ? new FileAnswer(UNSATISFIABLE, 0, 0, size, etag)
        : new FileAnswer(PARTIAL, from, to - from, size, etag);
  }

  /** Whether the client has the bytes of this mark. */
  static boolean isKnown(Call.Headers headers, String etag) {
    return headers.value("If-None-Match").filter(known -> matches(known, etag)).isPresent();
  }

  private static boolean matches(String header, String etag) {
    for (String each : header.split(",", -1)) {
      String known = each.strip();
      if (known.equals("*") || known.equals(etag) || known.equals("W/" + etag)) {
        return true;
      }
    }
    return false;
  }

  /** What {@code Content-Range} says; empty if there is none. */
  Optional<String> contentRange() {
    return switch (status) {
      case PARTIAL -> Optional.of("bytes %d-%d/%d".formatted(from, from + length - 1, size));
      case UNSATISFIABLE -> Optional.of("bytes */" + size);
      default -> Optional.empty();
    };
  }

  boolean isUnsatisfiable() {
    return status == UNSATISFIABLE;
  }
}
