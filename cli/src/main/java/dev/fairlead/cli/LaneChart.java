package dev.fairlead.cli;

import dev.fairlead.media.plan.Rung;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Device lanes over time as SVG, a bar for each attempt at a chunk, coloured by rung. */
final class LaneChart {
  static final int WIDTH = 1_160;
  static final int LEFT = 96;
  static final int RIGHT = 16;
  private static final int ROW = 34;
  private static final int BAR = 24;
  private static final int AXIS = 28;
  private static final double LEAST_WIDTH = 1.5;
  private static final int LABELLED_FROM = 26;

  private final Recording recording;
  private final List<String> rungs;

  LaneChart(Recording recording, List<Rung> rungs) {
    this.recording = recording;
    this.rungs = rungs.stream().map(Rung::name).toList();
  }

  String svg() {
    List<Recording.Attempt> attempts = recording.attempts();
    List<String> lanes = new ArrayList<>();
    recording.devices().forEach(device -> lanes.add(device.label()));
    attempts.stream()
        .map(LaneChart::lane)
        .filter(lane -> !lanes.contains(lane))
        .forEach(lanes::add);
    lanes.sort(null);
    int height = lanes.size() * ROW + AXIS;
    StringBuilder svg = new StringBuilder();
    svg.append(
        Html.format(
            "<svg viewBox='0 0 %d %d' role='img' aria-label='Device lanes over time'>",
            WIDTH, height));
    svg.append(axis(recording.seconds(), height - AXIS));
    for (int i = 0; i < lanes.size(); i++) {
      svg.append(
          Html.format(
              "<text class='lane' x='%d' y='%d'>%s</text>",
              LEFT - 10, i * ROW + ROW / 2 + 4, Html.escape(lanes.get(i))));
      svg.append(
          Html.format(
              "<rect class='bed' x='%d' y='%d' width='%d' height='%d' rx='4'/>",
              LEFT, i * ROW + (ROW - BAR) / 2, WIDTH - LEFT - RIGHT, BAR));
    }
    for (Recording.Attempt attempt : attempts) {
      svg.append(bar(attempt, lanes.indexOf(lane(attempt)) * ROW + (ROW - BAR) / 2));
    }
    return svg.append("</svg>").toString();
  }

  private static String lane(Recording.Attempt attempt) {
    String label = attempt.device().label();
    return attempt.lane() == 0 ? label : label + " #" + (attempt.lane() + 1);
  }

  private String bar(Recording.Attempt attempt, int y) {
    double x = x(attempt.span().from(), recording.seconds());
    double width = Math.max(LEAST_WIDTH, x(attempt.span().to(), recording.seconds()) - x - 1);
    String ending = attempt.ending().name().toLowerCase(Locale.ROOT);
    String title =
        Html.format(
            "%s on %s: %s, %.2f s to %.2f s%s",
            attempt.unit(),
            attempt.device().label(),
            ending,
            attempt.span().from(),
            attempt.span().to(),
            attempt.detail().isEmpty() ? "" : "; " + attempt.detail());
    String label =
        width < LABELLED_FROM
            ? ""
            : Html.format(
                "<text class='chunk' x='%.1f' y='%d'>%d</text>",
                x + width / 2, y + BAR / 2 + 4, attempt.unit().chunk());
    return Html.format(
        "<g class='bar %s r%d'><title>%s</title>"
            + "<rect x='%.1f' y='%d' width='%.1f' height='%d' rx='3'/>%s</g>",
        ending,
        Math.max(0, rungs.indexOf(attempt.unit().rung())) % ReportPage.COLOURS,
        Html.escape(title),
        x,
        y,
        width,
        BAR,
        label);
  }

  static double x(double at, double seconds) {
    return LEFT + (WIDTH - LEFT - RIGHT) * at / Math.max(1e-9, seconds);
  }

  /** Lines and labels of time, down to {@code bottom}. */
  static String axis(double seconds, int bottom) {
    StringBuilder svg = new StringBuilder();
    double step = step(seconds);
    for (double at = 0; at <= seconds + 1e-9; at += step) {
      double x = x(at, seconds);
      svg.append(
          Html.format(
              "<line class='grid' x1='%.1f' y1='0' x2='%.1f' y2='%d'/>"
                  + "<text class='tick' x='%.1f' y='%d'>%s</text>",
              x, x, bottom, x, bottom + 18, tick(at, step)));
    }
    return svg.toString();
  }

  private static String tick(double at, double step) {
    return step < 1 ? Html.format("%.1f s", at) : Html.format("%.0f s", at);
  }

  /** 1, 2 or 5 times a power of ten, so that there are four to ten of them. */
  static double step(double range) {
    double step = Math.pow(10, Math.floor(Math.log10(Math.max(range, 1e-3))) - 1);
    for (double factor : new double[] {1, 2, 5, 10, 20}) {
      if (range / (step * factor) <= 10) {
        return step * factor;
      }
    }
    return range;
  }
}
