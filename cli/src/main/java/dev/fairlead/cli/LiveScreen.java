package dev.fairlead.cli;

import dev.fairlead.media.report.Quantities;
import dev.fairlead.nativecode.WindowSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rows of the live screen: a bar for the whole, for each part and each audio track, a row for
 * each device. They are cut to the columns of a window and folded to its rows: first devices, then
 * audio tracks, then parts. Devices that fail or are slow are the last to be folded.
 *
 * @param what the parts are called: rungs, or jobs
 */
record LiveScreen(Bar total, String what, List<Bar> parts, List<Bar> sounds, List<Lane> lanes) {
  static final int LONGEST_NAME = 20;
  private static final int NAME = 8;
  private static final int DOING = 26;
  private static final int MOST_DOING = 45;

  /**
   * How far a part is.
   *
   * @param speed with its unit, or empty
   * @param rate likewise
   * @param left how long it will take, likewise
   */
  record Bar(String name, double share, String speed, String rate, String left) {
    private static final int LEAST = 8;
    private static final int MOST = 40;
    private static final int SHARE = 6;
    private static final int SPEED = 11;
    private static final int RATE = 11;
    private static final int LEFT = 13;

    /** A further column, which a narrow window does without. */
    private record Column(String text, int width) {
      StyledText addTo(StyledText row) {
        return row.add(String.format("%" + width + "s", text));
      }
    }

    /** The same under another name. */
    Bar named(String other, String withLeft) {
      return new Bar(other, share, speed, rate, withLeft);
    }

    /** Nothing of it moves. */
    boolean isQuiet() {
      return speed.isEmpty();
    }

    StyledText row(int nameColumns, int columns) {
      int fixed = nameColumns + 3 + SHARE;
      Column left = new Column(this.left, LEFT);
      List<List<Column>> choices =
          List.of(
              List.of(new Column(speed, SPEED), new Column(rate, RATE), left),
              List.of(new Column(speed, SPEED), left),
              List.of(left));
      List<Column> shown =
          choices.stream()
              .filter(choice -> columns - fixed - width(choice) >= LEAST)
              .findFirst()
              .orElse(List.of());
      int bar = Math.clamp(columns - fixed - width(shown), 0, MOST);
      int full = (int) Math.round(share * bar);
      StyledText row =
          new StyledText()
              .add(
                  StyledText.Style.BOLD,
                  padded(StyledText.shortened(name, nameColumns), nameColumns))
              .add(" [")
              .add(StyledText.Style.GREEN, "#".repeat(full))
              .add(StyledText.Style.DIM, ".".repeat(bar - full))
              .add(String.format(Locale.ROOT, "]%4.0f %%", 100 * share));
      shown.forEach(column -> column.addTo(row));
      return row.cutTo(columns);
    }

    private static int width(List<Column> columns) {
      return columns.stream().mapToInt(Column::width).sum();
    }
  }

  /**
   * What a device does.
   *
   * @param doing the chunks that it encodes
   * @param since when it began with the oldest of them
   */
  record Lane(String label, List<String> doing, double since, int chunks, int failures) {
    Lane {
      doing = List.copyOf(doing);
    }

    /** The first that people should see come first: those that fail, then those that take long. */
    static final Comparator<Lane> WORST_FIRST =
        Comparator.comparingInt((Lane lane) -> -lane.failures)
            .thenComparing(lane -> lane.doing.isEmpty())
            .thenComparingDouble(Lane::since);

    private String work() {
      return doing.isEmpty() ? "waits" : String.join(", ", doing);
    }

    /**
     * One row for one device or for several.
     *
     * @param work how many columns what they do has, if there is room
     */
    static StyledText row(List<Lane> lanes, int name, int work, int columns) {
      if (lanes.size() == 1) {
        Lane one = lanes.getFirst();
        String counts = counts(one.chunks, one.failures);
        return row(one.label, padded(one.work(), work), counts, name, columns);
      }
      long working = lanes.stream().filter(lane -> !lane.doing.isEmpty()).count();
      String together = "%d work, %d wait".formatted(working, lanes.size() - working);
      String counts =
          counts(
              lanes.stream().mapToInt(Lane::chunks).sum(),
              lanes.stream().mapToInt(Lane::failures).sum());
      return row(
          "%d %s".formatted(lanes.size(), family(lanes)),
          padded(together, work),
          counts,
          name,
          columns);
    }

    private static String family(List<Lane> lanes) {
      List<String> families = lanes.stream().map(Lane::family).distinct().toList();
      return families.size() == 1 ? families.getFirst() : "devices";
    }

    /** What several of its kind are called in one row. */
    String family() {
      String kind = label.replaceFirst(":.*", "");
      return kind.equals("cpu") ? "lanes" : kind;
    }

    private boolean isQuiet() {
      return doing.isEmpty() && failures == 0;
    }

    private static String counts(int chunks, int failures) {
      return "%11s%s"
          .formatted(
              Quantities.count(chunks, "chunk"), failures == 0 ? "" : ", " + failures + " failed");
    }

    private static StyledText row(
        String name, String work, String counts, int nameColumns, int columns) {
      int room = columns - nameColumns - 1 - counts.length();
      StyledText row = new StyledText().add(padded(name, nameColumns)).add(" ");
      if (room > 0) {
        row.add(StyledText.cut(work, room));
      }
      return row.add(
              counts.contains("failed") ? StyledText.Style.RED : StyledText.Style.PLAIN, counts)
          .cutTo(columns);
    }
  }

  LiveScreen {
    parts = List.copyOf(parts);
    sounds = List.copyOf(sounds);
    lanes = List.copyOf(lanes);
  }

  /** The rows that fit: the cursor needs one of the window's, and no row takes the last column. */
  List<StyledText> rows(WindowSize window) {
    int columns = Math.max(1, window.columns() - 1);
    int room = Math.max(1, window.rows() - 1);
    List<List<Lane>> devices = folded(room - 1 - parts.size() - sounds.size());
    List<Bar> sound = sounds;
    if (1 + parts.size() + sound.size() + devices.size() > room && sound.size() > 1) {
      sound = List.of(mean(sound, "audio"));
    }
    List<Bar> bars = new ArrayList<>(List.of(total));
    bars.addAll(foldedParts(room - 1 - sound.size() - devices.size()));
    bars.addAll(sound);
    int barName = nameColumns(bars.stream().map(Bar::name), columns);
    List<StyledText> rows = new ArrayList<>();
    bars.forEach(bar -> rows.add(bar.row(barName, columns)));
    List<Lane> alone =
        devices.stream().filter(group -> group.size() == 1).map(List::getFirst).toList();
    int name = nameColumns(alone.stream().map(Lane::label), columns);
    int work = Math.clamp(columns / 2, DOING, MOST_DOING);
    devices.forEach(group -> rows.add(Lane.row(group, name, work, columns)));
    return rows.subList(0, Math.min(room, rows.size()));
  }

  /** As many as the longest name has, but no more than a quarter of the window. */
  private static int nameColumns(Stream<String> names, int columns) {
    int most = Math.clamp(columns / 4, NAME, LONGEST_NAME);
    return Math.clamp(names.mapToInt(String::length).max().orElse(NAME), NAME, most);
  }

  /** The devices in at most so many rows, but in one at least. */
  private List<List<Lane>> folded(int room) {
    if (lanes.size() <= room) {
      return lanes.stream().map(List::of).toList();
    }
    Map<String, List<Lane>> families =
        lanes.stream()
            .collect(Collectors.groupingBy(Lane::family, LinkedHashMap::new, Collectors.toList()));
    int alone = room - families.size();
    if (alone < 0) {
      return lanes.isEmpty() ? List.of() : List.of(lanes);
    }
    // Those that only wait share a row first: notices above the rows are worth more than they are.
    List<Lane> worst =
        lanes.stream()
            .filter(lane -> !lane.isQuiet())
            .sorted(Lane.WORST_FIRST)
            .limit(alone)
            .toList();
    List<List<Lane>> rows = new ArrayList<>();
    worst.forEach(lane -> rows.add(List.of(lane)));
    families.values().stream()
        .map(family -> family.stream().filter(lane -> !worst.contains(lane)).toList())
        .filter(rest -> !rest.isEmpty())
        .forEach(rows::add);
    return rows;
  }

  /** The parts in at most so many rows: those that are furthest behind, and one for the rest. */
  private List<Bar> foldedParts(int room) {
    if (parts.size() <= room) {
      return parts;
    }
    if (room < 1) {
      return List.of();
    }
    // Those that wait or are over share a row first.
    List<Bar> behind =
        parts.stream()
            .sorted(Comparator.comparing(Bar::isQuiet).thenComparingDouble(Bar::share))
            .limit(room - 1)
            .toList();
    List<Bar> rest = parts.stream().filter(bar -> !behind.contains(bar)).toList();
    List<Bar> rows = new ArrayList<>(parts.stream().filter(behind::contains).toList());
    rows.add(mean(rest, what));
    return rows;
  }

  private static Bar mean(List<Bar> bars, String what) {
    double share = bars.stream().mapToDouble(Bar::share).average().orElse(0);
    return new Bar("%d %s".formatted(bars.size(), what), share, "", "", "");
  }

  private static String padded(String text, int columns) {
    return String.format("%-" + columns + "s", StyledText.cut(text, columns));
  }
}
