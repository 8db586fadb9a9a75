package dev.fairlead.media.ladder;

import dev.fairlead.device.Device;
import dev.fairlead.device.Engine;
import dev.fairlead.device.Profile;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.VideoPlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.settings.CardDecoder;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a worker has to decode, and with how much memory. */
final class DecodeCommands {
  private static final Set<String> INDEXED = Set.of("mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm");

  /** Fewer would leave cards without one at the end of short sources. */
  private static final int SPANS_OF_CARD = 2;

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
            Optional.empty(),
            false);
    return new Command.Decode(
        order,
        cards(parts),
        plan.grid(),
        plan.timeline(),
        plan.request().picture().maxFps(),
        plan.chunkPictures(),
        finished.chunks(),
        now.room(),
        plan.rungs().size(),
        done(parts, finished),
        pumps(parts, share, now),
        share.number(),
        splits(parts) ? plan.expectedChunks().orElse(0) : 0,
        share.shared());
  }

  /** What it may use by now. */
  static Command.Resize resize(LadderParts parts) {
    Seat.Share share = parts.seat().share();
    Admission now = share.admit(parts.plan(), parts.admission().devices(), parts.options());
    return new Command.Resize(
        share.number(), now.room(), pumps(parts, share, now).most(), share.shared());
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

  /** The cards that decode: the first that was chosen, and those that do so beside it. */
  private static List<CardDecoder> cards(LadderParts parts) {
    List<Device> chosen = parts.options().decoding().devices();
    return chosen.stream()
        .filter(card -> card.equals(chosen.getFirst()) || joins(parts, card))
        .flatMap(card ->
            DeviceAddress.of(card)
                .filter(parts.totals()::mayDecode)
                .map(address ->
                    new CardDecoder(address, stays(parts, card), card.slots(Engine.DECODE)))
                .stream())
        .toList();
  }

  /**
   * Whether a card decodes beside others: spans of its own, whose pictures it then encodes where
   * they are. It was proven to decode the codec as software does.
   */
  private static boolean joins(LadderParts parts, Device card) {
    Profile.Proven known = parts.options().fleet().proven().get(card.id());
    return known != null
        && known.decodes().contains(parts.plan().source().video().codec())
        && splits(parts)
        && stays(parts, card);
  }

  /**
   * Whether pictures stay in the memory of the card that decodes them: it encodes from there, and
   * they need nothing that only the processor does.
   */
  private static boolean stays(LadderParts parts, Device card) {
    VideoTrack video = parts.plan().source().video();
    VideoPlan made = parts.plan().video();
    return parts.encoders().keepsFrames(card)
        && video.turn() == Turn.NONE
        && !made.deinterlace()
        && !made.tonemap()
        && !video.colour().fullRange()
        && video.depth() == made.depth();
  }

  /** One for each card from the start, with a few spans for each. */
  private static Pumps pumps(LadderParts parts, Seat.Share share, Admission admission) {
    if (!splits(parts)) {
      return Pumps.one();
    }
    List<CardDecoder> cards = cards(parts);
    Pumps several = admission.pumps().atMost(Math.max(cards.size(), share.pumps()));
    if (cards.isEmpty()) {
      return several;
    }
    Pumps onCards = several.atMost(cards.stream().mapToInt(CardDecoder::sessions).sum());
    long chunks = parts.plan().expectedChunks().orElse(0);
    return cards.size() == 1
        ? onCards
        : onCards
            .atLeast(cards.size())
            .onSpansOf(Math.ceilDiv(chunks, SPANS_OF_CARD * cards.size()));
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
