package dev.fairlead.media.report;

/** Frames a second that all devices encoded together, over time, stacked by colour. */
final class ThroughputChart {
  private static final int HEIGHT = 180;
  private static final int AXIS = 28;
  private static final int BINS = 80;
  private static final int LABEL = 8;
  private static final double HEADROOM = 1.08;

  private final Recording recording;
  private final Colouring colouring;

  ThroughputChart(Recording recording, Colouring colouring) {
    this.recording = recording;
    this.colouring = colouring;
  }

  String svg() {
    double seconds = Math.max(1e-3, recording.seconds());
    double[][] rates = rates(seconds);
    double highest = 1;
    for (int bin = 0; bin < BINS; bin++) {
      double sum = 0;
      for (double[] part : rates) {
        sum += part[bin];
      }
      highest = Math.max(highest, sum * HEADROOM);
    }
    StringBuilder svg = new StringBuilder();
    svg.append(
        Html.format(
            "<svg viewBox='0 0 %d %d' role='img' aria-label='Frames a second over time'>",
            LaneChart.WIDTH, HEIGHT + AXIS));
    svg.append(LaneChart.axis(recording.seconds(), HEIGHT));
    svg.append(levels(highest));
    double width = (LaneChart.WIDTH - LaneChart.LEFT - LaneChart.RIGHT) / (double) BINS;
    for (int bin = 0; bin < BINS; bin++) {
      double top = HEIGHT;
      for (int part = 0; part < rates.length; part++) {
        double height = rates[part][bin] / highest * HEIGHT;
        top -= height;
        if (height > 0) {
          svg.append(
              Html.format(
                  "<rect class='fill %s' x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>",
                  Colouring.css(part), LaneChart.LEFT + bin * width, top, width - 1, height));
        }
      }
    }
    return svg.append("</svg>").toString();
  }

  private static String levels(double highest) {
    StringBuilder svg = new StringBuilder();
    double step = LaneChart.step(2 * highest);
    for (double level = step; level < highest; level += step) {
      double y = HEIGHT - level / highest * HEIGHT;
      if (y < LABEL) {
        continue; // there is no room for its label
      }
      svg.append(
          Html.format(
              "<line class='grid' x1='%d' y1='%.1f' x2='%d' y2='%.1f'/>"
                  + "<text class='lane' x='%d' y='%.1f'>%.0f fps</text>",
              LaneChart.LEFT,
              y,
              LaneChart.WIDTH - LaneChart.RIGHT,
              y,
              LaneChart.LEFT - 10,
              y + 4,
              level));
    }
    return svg.toString();
  }

  /** Each chunk's frames, spread evenly over the time that it took. */
  private double[][] rates(double seconds) {
    double[][] rates = new double[colouring.names().size()][BINS];
    double bin = seconds / BINS;
    for (Recording.Drawn drawn : recording.attempts(JobRecording.Ending.COMMITTED)) {
      double[] part = rates[colouring.place().applyAsInt(drawn)];
      double from = drawn.attempt().span().from();
      double to = Math.max(drawn.attempt().span().to(), from + 1e-6);
      for (int i = 0; i < BINS; i++) {
        double shared = Math.min(to, (i + 1) * bin) - Math.max(from, i * bin);
        if (shared > 0) {
          part[i] += drawn.attempt().yield().frames() * shared / (to - from) / bin;
        }
      }
    }
    return rates;
  }
}
