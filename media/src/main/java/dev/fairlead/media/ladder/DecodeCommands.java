package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.media.choice.DecodeChoice;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.VideoPlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a worker has to decode, and with how much memory. */
final class DecodeCommands {
  private static final Set<String> INDEXED = Set.of("mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm");

  private DecodeCommands() {}

  static Command.Decode of(LadderParts parts, FinishedChunks finished) {
    TranscodePlan plan = parts.plan();
    Seat.Share share = parts.seat().share();
    Admission now = share.admit(plan, parts.admission().devices(), parts.options());
    VideoTrack video = plan.source().video();
    long first = finished.next();
    VideoOrder order =
        new VideoOrder(
            plan.request().input().toAbsolutePath(),
            video.stream(),
            video.timeBase(),
            video.frameRate(),
            plan.grid().start(),
            first == 0 ? plan.grid().start() : plan.grid().startOf(first),
            plan.grid().end().orElse(Long.MAX_VALUE),
            video.turn(),
            plan.video().deinterlace(),
            1,
            decoder(parts).flatMap(DeviceAddress::of),
            stays(parts));
    return new Command.Decode(
        order,
        plan.grid(),
        plan.timeline(),
        plan.request().picture().maxFps(),
        plan.chunkPictures(),
        finished.chunks(),
        now.room(),
        plan.rungs().size(),
        done(parts, finished),
        pumps(parts, now),
        share.number(),
        splits(parts) ? plan.expectedChunks().orElse(0) : 0,
        share.shared());
  }

  /** What it may use by now. */
  static Command.Resize resize(LadderParts parts) {
    Seat.Share share = parts.seat().share();
    Admission now = share.admit(parts.plan(), parts.admission().devices(), parts.options());
    return new Command.Resize(share.number(), now.room(), pumps(parts, now).most(), share.shared());
  }

  /**
   * Whether several pumps may decode: beginning at any keyframe gives the same pictures at the same
   * times. Deinterlacing looks at the picture before. Files of other kinds have no index of their
   * keyframes, or times that are missing or begin again.
   */
  private static boolean splits(LadderParts parts) {
    TranscodePlan plan = parts.plan();
    return parts.options().decoding().pumps().most() > 1
        && !plan.video().deinterlace()
        && INDEXED.contains(plan.source().format());
  }

  /** No GPU any more once a worker has ended: decoding may have been the reason. */
  private static Optional<Device> decoder(LadderParts parts) {
    return parts.totals().restarts() > 0 ? Optional.empty() : parts.options().decoding().device();
  }

  /**
   * Whether pictures stay in the memory of the card that decodes them: it encodes from there, and
   * they need nothing that only the processor does.
   */
  private static boolean stays(LadderParts parts) {
    VideoTrack video = parts.plan().source().video();
    VideoPlan made = parts.plan().video();
    return decoder(parts).filter(parts.encoders()::keepsFrames).isPresent()
        && video.turn() == Turn.NONE
        && !made.deinterlace()
        && !made.tonemap()
        && !video.colour().fullRange()
        && video.depth() == made.depth();
  }

  private static Pumps pumps(LadderParts parts, Admission admission) {
    Pumps admitted = splits(parts) ? admission.pumps() : Pumps.one();
    return decoder(parts).map(gpu -> DecodeChoice.pumps(admitted, gpu)).orElse(admitted);
  }

  /** What is committed of chunks that are not finished. */
  private static Set<UnitId> done(LadderParts parts, FinishedChunks finished) {
    return parts.store().committed().keySet().stream()
        .filter(
            unit -> parts.plan().rungs().stream().anyMatch(rung -> rung.name().equals(unit.rung())))
        .filter(unit -> !finished.chunks().contains(unit.chunk()))
        .collect(Collectors.toSet());
  }
}
