package dev.fairlead.media.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Device lanes over time as SVG, a bar for each attempt at a chunk. Bars of several jobs are
 * coloured by job, and the lower the smaller their rung.
 */
public final class LaneChart {
  public static final int WIDTH = 1_160;
  public static final int LEFT = 96;
  public static final int RIGHT = 16;
  private static final int ROW = 34;
  private static final int BAR = 24;
  private static final int AXIS = 28;
  private static final double LEAST_WIDTH = 1.5;
  private static final int LABELLED_FROM = 26;
  private static final int LOWEST_LABELLED = 14;
  private static final int LOWEST = 8;
  private static final int MOST_LOWER = 8;

  private final Recording recording;
  private final Colouring colouring;

  LaneChart(Recording recording, Colouring colouring) {
    this.recording = recording;
    this.colouring = colouring;
  }

  String svg() {
    List<Recording.Drawn> attempts = recording.attempts();
    List<String> lanes = new ArrayList<>();
    recording.devices().forEach(device -> lanes.add(device.label()));
    attempts.stream()
        .map(Recording.Drawn::track)
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
    for (Recording.Drawn attempt : attempts) {
      svg.append(bar(attempt, lanes.indexOf(attempt.track()) * ROW + (ROW + BAR) / 2));
    }
    return svg.append("</svg>").toString();
  }

  private String bar(Recording.Drawn drawn, int bottom) {
    JobRecording.Attempt attempt = drawn.attempt();
    double x = x(attempt.span().from(), recording.seconds());
    double width = Math.max(LEAST_WIDTH, x(attempt.span().to(), recording.seconds()) - x - 1);
    int height = height(drawn);
    String ending = attempt.ending().name().toLowerCase(Locale.ROOT);
    String title =
        Html.format(
            "%s on %s: %s, %.2f s to %.2f s%s",
            drawn.what(recording.isOfSeveral()),
            attempt.device().label(),
            attempt.ending().words(),
            attempt.span().from(),
            attempt.span().to(),
            attempt.detail().isEmpty() ? "" : "; " + attempt.detail());
    String label =
        width < LABELLED_FROM || height < LOWEST_LABELLED
            ? ""
            : Html.format(
                "<text class='chunk' x='%.1f' y='%d'>%d</text>",
                x + width / 2, bottom - height / 2 + 4, attempt.unit().chunk());
    return Html.format(
        "<g class='bar %s %s'><title>%s</title>"
            + "<rect x='%.1f' y='%d' width='%.1f' height='%d' rx='3'/>%s</g>",
        ending, colouring.css(drawn), Html.escape(title), x, bottom - height, width, height, label);
  }

  /** Where the colour tells the job, the height tells the rung. */
  private int height(Recording.Drawn drawn) {
    int lower = drawn.job().rungs().size() - 1;
    return recording.isOfSeveral() && lower > 0
        ? BAR - Colouring.rung(drawn) * Math.min(MOST_LOWER, (BAR - LOWEST) / lower)
        : BAR;
  }

  public static double x(double at, double seconds) {
    return LEFT + (WIDTH - LEFT - RIGHT) * at / Math.max(1e-9, seconds);
  }

  /** Lines and labels of time, down to {@code bottom}. */
  public static String axis(double seconds, int bottom) {
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
  public static double step(double range) {
    double step = Math.pow(10, Math.floor(Math.log10(Math.max(range, 1e-3))) - 1);
    for (double factor : new double[] {1, 2, 5, 10, 20}) {
      if (range / (step * factor) <= 10) {
        return step * factor;
      }
    }
    return range;
  }
}
