package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeListener.SoundProgress;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.report.Quantities;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How far a run is, as bars. What an earlier run has done counts as done, not as fast. */
final class RunProgress {
  private static final double KILO = 1_000;

  private @Nullable TranscodePlan plan;
  private Map<String, Double> weights = Map.of();
  private Event.@Nullable Progress first;
  private Event.@Nullable Progress last;

  /** What is planned; a job that begins anew is planned again. */
  void planned(TranscodePlan made) {
    plan = made;
    weights =
        made.rungs().stream()
            .collect(Collectors.toMap(Rung::name, rung -> (double) rung.width() * rung.height()));
    first = null;
  }

  void add(Event.Progress now) {
    if (first == null) {
      first = now;
    }
    last = now;
  }

  boolean isKnown() {
    return last != null;
  }

  /** All rungs by their pixels. */
  LiveScreen.Bar total() {
    Event.Progress now = last;
    Event.Progress begin = first;
    if (now == null || begin == null) {
      return new LiveScreen.Bar("total", 0, "", "", "");
    }
    double share = share(now);
    double gained = share - share(begin);
    double seconds = now.seconds() - begin.seconds();
    double speed = seconds <= 0 || plan == null ? 0 : gained * plan.expectedSeconds() / seconds;
    double left = gained <= 0 ? 0 : seconds * (1 - share) / gained;
    return new LiveScreen.Bar(
        "total", share, speed <= 0 ? "" : times(speed), bitRate(now.rungs()), left(share, left));
  }

  private double share(Event.Progress progress) {
    double done = 0;
    double all = 0;
    for (RungProgress rung : progress.rungs()) {
      double weight = weights.getOrDefault(rung.rung(), 1.0);
      done += weight * rung.share();
      all += weight;
    }
    return all == 0 ? 0 : done / all;
  }

  List<LiveScreen.Bar> rungs() {
    return last == null ? List.of() : last.rungs().stream().map(this::rung).toList();
  }

  private LiveScreen.Bar rung(RungProgress rung) {
    return new LiveScreen.Bar(
        rung.rung(),
        rung.share(),
        rung.framesPerSecond() <= 0
            ? ""
            : String.format(Locale.ROOT, "%.1f fps", rung.framesPerSecond()),
        bitRate(List.of(rung)),
        left(rung.share(), rung.secondsLeft()));
  }

  List<LiveScreen.Bar> sounds() {
    return last == null ? List.of() : last.sounds().stream().map(RunProgress::sound).toList();
  }

  private static LiveScreen.Bar sound(SoundProgress sound) {
    return new LiveScreen.Bar(sound.track(), sound.share(), "", "", left(sound.share(), 0));
  }

  /** What was made by now as a stream of the frames that are in it. */
  private String bitRate(List<RungProgress> rungs) {
    double rate = plan == null ? 0 : plan.frameRate().value();
    double bits = 0;
    for (RungProgress rung : rungs) {
      bits += rung.frames() == 0 ? 0 : 8.0 * rung.bytes() / rung.frames() * rate;
    }
    if (bits <= 0) {
      return "";
    }
    return bits < KILO * KILO
        ? String.format(Locale.ROOT, "%.0f kb/s", bits / KILO)
        : String.format(Locale.ROOT, "%.1f Mb/s", bits / KILO / KILO);
  }

  private static String times(double speed) {
    return String.format(Locale.ROOT, speed < 10 ? "%.2fx" : "%.0fx", speed);
  }

  private static String left(double share, double seconds) {
    if (share >= 1) {
      return "done";
    }
    return seconds <= 0 ? "" : Quantities.clock(seconds) + " left";
  }
}
