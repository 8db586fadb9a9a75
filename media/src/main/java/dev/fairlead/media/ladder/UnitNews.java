package dev.fairlead.media.ladder;

import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.units.UnitListener;
import dev.fairlead.units.UnitTask;
import java.util.Optional;
import java.util.function.Function;

/** What listeners of a job are told of its units. */
final class UnitNews {
  private UnitNews() {}

  /** An event of the unit queue as one of the job; empty if they are not told of it. */
  static Optional<Event> of(
      UnitListener.Event event, double now, Function<UnitTask<?>, UnitId> units) {
    return switch (event) {
      case UnitListener.Event.Started started ->
          Optional.of(
              new Event.Assigned(
                  now, units.apply(started.unit()), started.device(), started.why()));
      case UnitListener.Event.Requeued again ->
          Optional.of(
              new Event.Requeued(
                  now,
                  units.apply(again.unit()),
                  again.device(),
                  String.valueOf(again.reason().getMessage())));
      case UnitListener.Event.SetAside _,
          UnitListener.Event.StruckOff _,
          UnitListener.Event.Ended _ ->
          Optional.empty();
    };
  }
}
