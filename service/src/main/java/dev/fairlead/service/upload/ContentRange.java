package dev.fairlead.service.upload;

import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes of a file a request carries.
 *
 * @param from the first
 * @param to the one after the last
 * @param size of the whole file
 */
record ContentRange(long from, long to, long size) {
  private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

  /**
   * Reads both headers.
   *
   * @throws Problem if they say nothing, or something impossible
   */
  static ContentRange of(Optional<String> range, Optional<String> length) {
    if (range.isEmpty()) {
      return whole(length);
    }
    Matcher parts = FORM.matcher(range.get().strip());
    if (!parts.matches()) {
      throw malformed(range.get());
    }
    ContentRange read =
        new ContentRange(
            Long.parseLong(parts.group(1)),
            Long.parseLong(parts.group(2)) + 1,
            Long.parseLong(parts.group(3)));
    if (read.from >= read.to || read.to > read.size) {
      throw malformed(range.get());
    }
    return read;
  }

  private static ContentRange whole(Optional<String> length) {
    try {
      long size = Long.parseLong(length.orElse("").strip());
      if (size > 0) {
        return new ContentRange(0, size, size);
      }
    } catch (NumberFormatException none) {
      // Said below.
    }
    throw Problem.of(
        Status.LENGTH_REQUIRED,
        "An upload says how long it is: Content-Length, or Content-Range: bytes 0-1023/4096");
  }

  private static Problem malformed(String range) {
    return Problem.of(
        Status.BAD_REQUEST,
        "Content-Range is \"%s\"; it is to be like bytes 0-1023/4096".formatted(range));
  }

  long length() {
    return to - from;
  }
}
