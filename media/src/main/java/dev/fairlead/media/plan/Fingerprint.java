package dev.fairlead.media.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * The facts that decide what the output is, by name: two runs may share their work if these are the
 * same.
 *
 * <p>Its text has a line per fact, {@code name: value}, in the order in which they were added. What
 * the source was called is among them for messages, and not compared: a file may be moved.
 */
public final class Fingerprint {
  private static final String SOURCE_NAME = "source name";
  private static final String SOURCE = "source";

  private final SequencedMap<String, String> facts;

  /** A fact that is not the same; empty where it was not there. */
  public record Difference(String fact, String before, String now) {
    @Override
    public String toString() {
      return "%s was %s and is now %s".formatted(fact, shown(before), shown(now));
    }

    /** Whether the source itself is another one. */
    public boolean isOfSource() {
      return fact.equals(SOURCE) || fact.startsWith(SOURCE + " ");
    }

    private static String shown(String value) {
      return value.isEmpty() ? "nothing" : "\"" + value + "\"";
    }
  }

  private Fingerprint(SequencedMap<String, String> facts) {
    this.facts = facts;
  }

  public static Fingerprint empty() {
    return new Fingerprint(new LinkedHashMap<>());
  }

  /** Reads what {@link #text} wrote. */
  public static Fingerprint parse(String text) {
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    text.lines()
        .forEach(line -> {
          int colon = line.indexOf(": ");
          if (colon < 0) {
            throw new IllegalArgumentException("Not a fact: \"" + line + "\"");
          }
          facts.put(line.substring(0, colon), line.substring(colon + 2));
        });
    return new Fingerprint(facts);
  }

  /** These facts and one more, such as the version of a library; line breaks become spaces. */
  public Fingerprint with(String fact, Object value) {
    if (fact.isEmpty() || fact.contains(": ") || !isOneLine(fact)) {
      throw new IllegalArgumentException("Not a name of a fact: \"" + fact + "\"");
    }
    SequencedMap<String, String> more = new LinkedHashMap<>(facts);
    more.put(fact, value.toString().replaceAll("\\R", " "));
    return new Fingerprint(more);
  }

  /** These facts, and what the source is called. */
  public Fingerprint named(String source) {
    return with(SOURCE_NAME, source);
  }

  /** What the source was called; empty where that was not kept. */
  public String sourceName() {
    return facts.getOrDefault(SOURCE_NAME, "");
  }

  /** What differs in facts that come later. */
  public List<Difference> differences(Fingerprint now) {
    Set<String> names = new LinkedHashSet<>(facts.keySet());
    names.addAll(now.facts.keySet());
    names.remove(SOURCE_NAME);
    List<Difference> differences = new ArrayList<>();
    for (String name : names) {
      String before = facts.getOrDefault(name, "");
      String after = now.facts.getOrDefault(name, "");
      if (!before.equals(after)) {
        differences.add(new Difference(name, before, after));
      }
    }
    return differences;
  }

  public String text() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      text.append(fact.getKey()).append(": ").append(fact.getValue()).append('\n');
    }
    return text.toString();
  }

  private static boolean isOneLine(String text) {
    return text.lines().count() == 1 && !text.endsWith("\n") && !text.endsWith("\r");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint fingerprint && differences(fingerprint).isEmpty();
  }

  @Override
  public int hashCode() {
    return compared().hashCode();
  }

  private Map<String, String> compared() {
    Map<String, String> compared = new LinkedHashMap<>(facts);
    compared.remove(SOURCE_NAME);
    return compared;
  }

  @Override
  public String toString() {
    return text();
  }
}
