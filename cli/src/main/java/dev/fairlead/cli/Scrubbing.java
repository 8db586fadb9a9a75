package dev.fairlead.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Takes out of a text what says whose it is: directories, the user, the host. What is replaced is
 * the whole word only, since names may be short.
 *
 * @param words what is replaced, and by what
 */
record Scrubbing(Map<String, String> words) {
  Scrubbing {
    words = Map.copyOf(words);
  }

  static Scrubbing here() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put(System.getProperty("user.dir", ""), "DIR");
    words.put(System.getProperty("user.home", ""), "HOME");
    words.put(System.getProperty("java.io.tmpdir", ""), "TMP");
    words.put(System.getProperty("user.name", ""), "USER");
    words.put(host(), "HOST");
    words.keySet().removeIf(word -> word.isBlank() || word.equals("/"));
    return new Scrubbing(words);
  }

  private static String host() {
    try {
      return Files.readString(Path.of("/etc/hostname")).strip();
    } catch (IOException unknown) {
      return "";
    }
  }

  String of(String text) {
    if (words.isEmpty()) {
      return text;
    }
    Pattern any =
        Pattern.compile(
            words.keySet().stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "(?<![\\w.])(?:", ")(?!\\w)")));
    return any.matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(words.getOrDefault(found.group(), "…")));
  }
}
