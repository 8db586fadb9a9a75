package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What cards have done in a job, by the books of their doubles. */
final class CardBooks {
  private static final double NANOS = 1e9;

  /** What a session was given, from its first picture to the end of its last. */
  private record Session(int card, long pictures, long from, long until) {}

  private final List<Session> sessions = new ArrayList<>();
  private final Map<String, Integer> contexts = new HashMap<>();
  private final int chunkPictures;
  private int sessionsPeak;

  private CardBooks(int chunkPictures) {
    this.chunkPictures = chunkPictures;
  }

  /**
   * Reads the books of a host.
   *
   * @param chunkPictures in every chunk; sessions before the first that has so many are trials, and
   *     such as end with fewer were stopped because another card was done first
   */
  static CardBooks read(Path books, int chunkPictures) throws IOException {
    CardBooks read = new CardBooks(chunkPictures);
    Set<String> open = new HashSet<>();
    List<Session> all = new ArrayList<>();
    for (String line : Files.readAllLines(books.resolve("books"))) {
      Map<String, String> values = values(line);
      String pid = values.getOrDefault("pid", "");
      String session = pid + " " + values.get("session");
      switch (line.split(" ", -1)[1]) {
        case "session-opened" -> {
          open.add(session);
          read.sessionsPeak = Math.max(read.sessionsPeak, open.size());
        }
        case "session-closed" -> {
          open.remove(session);
          all.add(session(values));
        }
        case "primary-retained", "context-created" -> read.contexts.merge(pid, 1, Integer::sum);
        case "misuse:" -> throw new IllegalStateException("The driver was misused: " + line);
        default -> {} // what is no figure
      }
    }
    long begun =
        all.stream()
            .filter(each -> each.pictures() >= chunkPictures)
            .mapToLong(Session::from)
            .min()
            .orElseThrow(() -> new IllegalStateException("No card has encoded a chunk"));
    all.stream()
        .filter(each -> each.pictures() > 0 && each.from() >= begun)
        .forEach(read.sessions::add);
    return read;
  }

  private static Session session(Map<String, String> values) {
    return new Session(
        Integer.parseInt(values.getOrDefault("card", "")),
        number(values, "pictures"),
        number(values, "from"),
        number(values, "until"));
  }

  private static long number(Map<String, String> values, String name) {
    return Long.parseLong(values.getOrDefault(name, ""));
  }

  private static Map<String, String> values(String line) {
    Map<String, String> values = new HashMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return values;
  }

  /** Contexts in the process that has most of them. */
  int contexts() {
    return contexts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** Sessions of the host that were open at a time. */
  int sessionsPeak() {
    return sessionsPeak;
  }

  /** From the first picture of the job to the end of the last chunk. */
  double seconds() {
    long from = sessions.stream().mapToLong(Session::from).min().orElseThrow();
    long until =
        sessions.stream()
            .filter(each -> each.pictures() >= chunkPictures)
            .mapToLong(Session::until)
            .max()
            .orElseThrow();
    return (until - from) / NANOS;
  }

  /**
   * How much of the time between its first picture and its last a card had one to work on: the
   * least of all cards, and zero if one had none at all.
   */
  double readyShare(List<Double> pictureMillis) {
    double least = 1;
    for (int card = 0; card < pictureMillis.size(); card++) {
      int its = card;
      List<Session> own = sessions.stream().filter(each -> each.card() == its).toList();
      long from = own.stream().mapToLong(Session::from).min().orElse(0);
      long until = own.stream().mapToLong(Session::until).max().orElse(Long.MAX_VALUE);
      double worked =
          own.stream().mapToLong(Session::pictures).sum() * pictureMillis.get(card) * NANOS / 1000;
      least = Math.min(least, worked / (until - from));
    }
    return least;
  }

  /** The least time in which cards of these speeds can do so many pictures. */
  static double bound(long pictures, List<Double> pictureMillis) {
    double perSecond = 0;
    for (double millis : pictureMillis) {
      perSecond += 1000 / millis;
    }
    return pictures / perSecond;
  }
}
