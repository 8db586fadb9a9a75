package dev.fairlead.media.report;

import dev.fairlead.media.plan.Rung;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Which attempts share a colour: those of a rung, or, where there are several jobs, those of a job.
 *
 * @param names what each colour stands for; colours begin again after {@link PageTemplate#COLOURS}
 * @param place where what an attempt belongs to stands among the names
 */
record Colouring(String by, List<String> names, ToIntFunction<Recording.Drawn> place) {
  static Colouring of(Recording recording) {
    List<JobRecording> jobs = recording.jobs();
    if (recording.isOfSeveral()) {
      return new Colouring(
          "job",
          jobs.stream().map(JobRecording::name).toList(),
          drawn -> Math.max(0, jobs.indexOf(drawn.job())));
    }
    List<String> rungs =
        jobs.stream().flatMap(job -> job.rungs().stream()).map(Rung::name).toList();
    return new Colouring("rung", rungs, Colouring::rung);
  }

  /** Where the rung of an attempt stands in its job's ladder. */
  static int rung(Recording.Drawn drawn) {
    List<String> rungs = drawn.job().rungs().stream().map(Rung::name).toList();
    return Math.max(0, rungs.indexOf(drawn.attempt().unit().rung()));
  }

  /** The class of the style sheet for a place. */
  static String css(int place) {
    return "r" + place % PageTemplate.COLOURS;
  }

  String css(Recording.Drawn drawn) {
    return css(place.applyAsInt(drawn));
  }

  static String key(String css, String name) {
    return "<span class='key %s'><i></i>%s</span>".formatted(css, Html.escape(name));
  }

  String legend() {
    StringBuilder legend = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      legend.append(key(css(i), names.get(i)));
    }
    return legend.toString();
  }
}
