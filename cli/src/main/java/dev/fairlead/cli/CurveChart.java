package dev.fairlead.cli;

import dev.fairlead.media.report.Html;
import dev.fairlead.media.report.LaneChart;
import dev.fairlead.media.report.PageTemplate;
import java.util.ArrayList;
import java.util.List;

/** Lines over a common axis, one a policy, in the colours of the page. */
final class CurveChart {
  private static final int HEIGHT = 220;
  private static final int AXIS = 28;
  private static final int LABEL = 8;
  private static final double HEADROOM = 1.06;

  /** A point of a line. */
  record Point(double x, double y) {}

  private record Curve(int colour, String name, List<Point> points) {}

  private final String label;
  private final String unit;
  private final List<Curve> curves = new ArrayList<>();

  /** A chart of something in a unit over something in seconds or percent. */
  CurveChart(String label, String unit) {
    this.label = label;
    this.unit = unit;
  }

  void add(int colour, String name, List<Point> points) {
    curves.add(new Curve(colour, name, List.copyOf(points)));
  }

  /** The chart; {@code logarithmic} upwards, for what differs by orders of magnitude. */
  String svg(boolean percent, boolean logarithmic) {
    double right = 1e-9;
    double highest = 1e-9;
    double lowest = Double.POSITIVE_INFINITY;
    for (Curve curve : curves) {
      for (Point point : curve.points) {
        right = Math.max(right, point.x);
        highest = Math.max(highest, point.y);
        lowest = point.y > 0 ? Math.min(lowest, point.y) : lowest;
      }
    }
    Scale scale =
        logarithmic
            ? new Scale(Math.max(lowest, highest / 1e4), highest * HEADROOM, true)
            : new Scale(0, highest * HEADROOM, false);
    StringBuilder svg = new StringBuilder();
    svg.append(
        Html.format(
            "<svg viewBox='0 0 %d %d' role='img' aria-label='%s'>",
            LaneChart.WIDTH, HEIGHT + AXIS, Html.escape(label)));
    svg.append(percent ? percents() : LaneChart.axis(right, HEIGHT));
    levels(svg, scale);
    for (Curve curve : curves) {
      svg.append(
          Html.format(
              "<g class='r%d'><title>%s</title><polyline class='curve%s' points='",
              curve.colour % PageTemplate.COLOURS,
              Html.escape(curve.name),
              curve.colour < PageTemplate.COLOURS ? "" : " dashed"));
      for (Point point : curve.points) {
        svg.append(
            Html.format("%.1f,%.1f ", LaneChart.x(point.x, right), HEIGHT - scale.of(point.y)));
      }
      svg.append("'/></g>");
    }
    return svg.append("</svg>").toString();
  }

  private record Scale(double low, double high, boolean logarithmic) {
    double of(double value) {
      double part =
          logarithmic
              ? Math.log(Math.max(value, low) / low) / Math.log(Math.max(1.0001, high / low))
              : value / high;
      return part * HEIGHT;
    }
  }

  private static String percents() {
    StringBuilder svg = new StringBuilder();
    for (int part = 0; part <= 100; part += 10) {
      double x = LaneChart.x(part, 99);
      if (part < 100) {
        svg.append(
            Html.format(
                "<line class='grid' x1='%.1f' y1='0' x2='%.1f' y2='%d'/>"
                    + "<text class='tick' x='%.1f' y='%d'>%d %%</text>",
                x, x, HEIGHT, x, HEIGHT + 18, part));
      }
    }
    return svg.toString();
  }

  private void levels(StringBuilder svg, Scale scale) {
    List<Double> levels = new ArrayList<>();
    if (scale.logarithmic) {
      for (double level = Math.pow(10, Math.ceil(Math.log10(scale.low)));
          level < scale.high;
          level *= 10) {
        levels.add(level);
        if (3 * level < scale.high) {
          levels.add(3 * level);
        }
      }
    } else {
      double step = LaneChart.step(2 * scale.high);
      for (double level = step; level < scale.high; level += step) {
        levels.add(level);
      }
    }
    for (double level : levels) {
      double y = HEIGHT - scale.of(level);
      if (y < LABEL) {
        continue; // there is no room for its label
      }
      svg.append(
          Html.format(
              "<line class='grid' x1='%d' y1='%.1f' x2='%d' y2='%.1f'/>"
                  + "<text class='lane' x='%d' y='%.1f'>%s%s</text>",
              LaneChart.LEFT,
              y,
              LaneChart.WIDTH - LaneChart.RIGHT,
              y,
              LaneChart.LEFT - 10,
              y + 4,
              level >= 1 ? Html.format("%,.0f", level) : Html.format("%.3g", level),
              unit));
    }
  }
}
