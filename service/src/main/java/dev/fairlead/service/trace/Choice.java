package dev.fairlead.service.trace;

import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.units.Assignment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a chunk went to a device.
 *
 * @param asClone whether another device had it already
 * @param turn whose turn it was, where several jobs share the devices
 */
record Choice(
    String rung,
    long chunk,
    String device,
    Instant at,
    boolean asClone,
    List<Candidate> candidates,
    Optional<Turn> turn) {
  /**
   * How a device stood at that moment.
   *
   * @param predictedSeconds for the chunk on this device, once such chunks were measured
   */
  record Candidate(String device, Optional<Double> predictedSeconds, String reason) {
    static Candidate of(Assignment.Candidate candidate) {
      return new Candidate(candidate.device().label(), candidate.seconds(), candidate.reason());
    }
  }

  /** Whose turn it was, and why. */
  record Turn(String tenant, String why) {}

  static Choice of(Event.Assigned assigned, Instant at) {
    Assignment why = assigned.why();
    return new Choice(
        assigned.unit().rung(),
        assigned.unit().chunk(),
        assigned.device().label(),
        at,
        why.asClone(),
        why.candidates().stream().map(Candidate::of).toList(),
        why.turn()
            .map(dev.fairlead.policy.Turn::served)
            .map(served -> new Turn(served.tenant(), "it " + served.reason())));
  }
}
