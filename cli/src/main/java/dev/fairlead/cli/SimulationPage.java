package dev.fairlead.cli;

import dev.fairlead.media.report.Html;
import dev.fairlead.media.report.LaneChart;
import dev.fairlead.media.report.PageTemplate;
import dev.fairlead.media.report.Quantities;
import dev.fairlead.media.report.RunOrigin;
import dev.fairlead.simulator.engine.Observer;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A simulation as one HTML page that needs nothing else: figures, lines, curves, device lanes. */
final class SimulationPage {
  private static final String TEMPLATE = "simulation.html";
  private static final int ROW = 22;
  private static final int BAR = 16;
  private static final int AXIS = 28;

  private final Scenario scenario;
  private final List<Figures> all;
  private final List<SimulationFilm> films;

  private SimulationPage(Scenario scenario, List<Figures> all, List<SimulationFilm> films) {
    this.scenario = scenario;
    this.all = all;
    this.films = films;
  }

  static String of(
      Scenario scenario, List<Figures> all, List<SimulationFilm> films, RunOrigin origin) {
    SimulationPage page = new SimulationPage(scenario, all, films);
    return PageTemplate.fill(
        SimulationPage.class,
        TEMPLATE,
        Map.of(
            "title", Html.escape("Simulated: " + scenario.workload().name()),
            "subtitle", Html.escape(page.subtitle()),
            "rows", page.rows(),
            "equal", page.equal(),
            "legend", page.legend(),
            "queues", page.queues(),
            "latencies", page.latencies(),
            "kinds", page.kinds(),
            "lanes", page.lanes(),
            "origin", origin.rows(List.of())));
  }

  private String subtitle() {
    return Html.format(
        "%s · %,d units of work · %s · seed %d · shortest possible time %.3g s",
        SimulationText.devices(scenario),
        all.getFirst().done() + all.getFirst().lost(),
        Quantities.count(scenario.mishaps().size(), "mishap"),
        scenario.seed(),
        all.getFirst().boundSeconds());
  }

  private String rows() {
    StringBuilder rows = new StringBuilder();
    for (Figures each : all) {
      rows.append(Html.format("<tr><td>%s</td>", Html.escape(each.policy())));
      for (String cell :
          List.of(
              Html.format("%.3f", each.makespanOverBound()),
              SimulationText.seconds(each.makespanSeconds()),
              SimulationText.seconds(each.times().mean()),
              SimulationText.seconds(each.times().p95()),
              SimulationText.seconds(each.times().p99()))) {
        rows.append("<td class='number'>").append(Html.escape(cell)).append("</td>");
      }
      rows.append(
          Html.format(
              "<td>%s</td><td class='number'>%,d</td><td class='number'>%,d</td></tr>",
              Html.escape(SimulationText.busy(each)), each.moved(), each.lost()));
    }
    return rows.toString();
  }

  private String equal() {
    return SimulationText.equalRows(scenario, all).stream()
        .map(each -> "<p class='quiet'>%s</p>".formatted(Html.escape(each)))
        .collect(Collectors.joining());
  }

  private String legend() {
    StringBuilder legend = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      legend.append(
          Html.format(
              "<span class='key r%d%s'><i></i>%s</span>",
              i % PageTemplate.COLOURS,
              i < PageTemplate.COLOURS ? "" : " dashed",
              Html.escape(all.get(i).policy())));
    }
    return legend.toString();
  }

  private String kinds() {
    StringBuilder legend = new StringBuilder();
    List<String> kinds = scenario.workload().kinds();
    for (int i = 0; i < kinds.size(); i++) {
      legend.append(
          Html.format(
              "<span class='key r%d'><i></i>%s</span>",
              i % PageTemplate.COLOURS, Html.escape(kinds.get(i))));
    }
    return legend
        .append("<span class='key failed'><i></i>failed</span>")
        .append("<span class='key overtaken'><i></i>another device was first</span>")
        .append("<span class='key gone'><i></i>not there, or does not answer</span>")
        .toString();
  }

  private String queues() {
    CurveChart chart = new CurveChart("How many units wait, over time", "");
    for (int i = 0; i < all.size(); i++) {
      List<CurveChart.Point> points = new ArrayList<>();
      for (SimulationFilm.Sample sample : films.get(i).samples()) {
        points.add(new CurveChart.Point(sample.seconds(), sample.waiting()));
      }
      chart.add(i, all.get(i).policy(), points);
    }
    return chart.svg(false, false);
  }

  private String latencies() {
    CurveChart chart = new CurveChart("Time in system by share of the work", " s");
    for (int i = 0; i < all.size(); i++) {
      List<CurveChart.Point> points = new ArrayList<>();
      List<Double> curve = all.get(i).times().curve();
      for (int part = 1; part < curve.size(); part++) {
        if (Double.isFinite(curve.get(part))) {
          points.add(new CurveChart.Point(part, curve.get(part)));
        }
      }
      chart.add(i, all.get(i).policy(), points);
    }
    return chart.svg(true, true);
  }

  private String lanes() {
    StringBuilder lanes = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      lanes
          .append("<h3>")
          .append(Html.escape(all.get(i).policy()))
          .append("</h3>")
          .append(lanes(films.get(i)));
    }
    return lanes.toString();
  }

  private String lanes(SimulationFilm film) {
    int devices = Math.min(scenario.fleet().size(), SimulationFilm.DEVICES);
    double seconds = shownSeconds();
    int height = devices * ROW;
    StringBuilder svg = new StringBuilder();
    svg.append(
        Html.format(
            "<svg viewBox='0 0 %d %d' role='img' aria-label='What each device did'>",
            LaneChart.WIDTH, height + AXIS));
    for (int device = 0; device < devices; device++) {
      svg.append(
          Html.format(
              "<rect class='bed' x='%d' y='%d' width='%d' height='%d' rx='3'/>"
                  + "<text class='lane' x='%d' y='%d'>%s</text>",
              LaneChart.LEFT,
              device * ROW + (ROW - BAR) / 2,
              LaneChart.WIDTH - LaneChart.LEFT - LaneChart.RIGHT,
              BAR,
              LaneChart.LEFT - 10,
              device * ROW + ROW / 2 + 4,
              Html.escape(scenario.fleet().devices().get(device).name())));
    }
    for (Absences.Absence absence : Absences.of(scenario.mishaps(), seconds)) {
      if (absence.device() < devices) {
        svg.append(absent(absence, seconds));
      }
    }
    svg.append(LaneChart.axis(seconds, height));
    film.stays().forEach(shown -> svg.append(bar(shown, seconds)));
    return svg.append("</svg>").toString();
  }

  /** All policies on one scale of time, so that they can be compared. */
  private double shownSeconds() {
    return films.stream().mapToDouble(SimulationFilm::shownSeconds).max().orElse(0);
  }

  private String absent(Absences.Absence absence, double seconds) {
    double from = LaneChart.x(absence.from(), seconds);
    return Html.format(
        "<g class='gone'><title>%s %s from %.2f s to %.2f s</title>"
            + "<rect x='%.1f' y='%d' width='%.1f' height='%d' rx='3'/></g>",
        Html.escape(scenario.fleet().devices().get(absence.device()).name()),
        Html.escape(absence.why()),
        absence.from(),
        absence.to(),
        from,
        absence.device() * ROW + (ROW - BAR) / 2,
        LaneChart.x(absence.to(), seconds) - from,
        BAR);
  }

  private String bar(SimulationFilm.Shown shown, double seconds) {
    Observer.Stay stay = shown.stay();
    int slots = scenario.fleet().devices().get(stay.device()).limits().slots();
    double height = BAR / (double) slots;
    double from = LaneChart.x(stay.from() / 1e9, seconds);
    double to = LaneChart.x(stay.to() / 1e9, seconds);
    String ending = shown.ending().name().toLowerCase(Locale.ROOT);
    return Html.format(
        "<g class='bar %s r%d'><title>%s %d on %s: %s, %.2f s to %.2f s</title>"
            + "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='2'/></g>",
        ending,
        stay.group() % PageTemplate.COLOURS,
        Html.escape(scenario.workload().kinds().get(stay.group())),
        stay.order(),
        Html.escape(scenario.fleet().devices().get(stay.device()).name()),
        ending,
        stay.from() / 1e9,
        stay.to() / 1e9,
        from,
        stay.device() * ROW + (ROW - BAR) / 2.0 + stay.slot() * height,
        Math.max(0.6, to - from - 0.6),
        height - (slots > 1 ? 1 : 0));
  }
}
