package dev.fairlead.media.plan;

import dev.fairlead.media.plan.LadderSpec.Ask;
import dev.fairlead.media.plan.LadderSpec.Size;
import dev.fairlead.media.source.VideoTrack;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Which rungs a source gets.
 *
 * <p>Sizes are those of the picture as it is shown: turned, with square pixels. A rung has the
 * shape of the source, even sides, and is never larger, but for a side of less than {@value
 * Frame#LEAST_SIDE}, which encoders refuse. The automatic ladder has the source's own size on top
 * (2160 if it is larger) and then the standard steps that are clearly smaller.
 */
public final class Ladders {
  /** A step of more than this share of the top rung is not worth a rung of its own. */
  private static final int CLEARLY_SMALLER_PERCENT = 85;

  /** What is asked for may be larger than the source by this much and still mean its own size. */
  private static final int NEARLY_PERCENT = 107;

  private final VideoTrack source;
  private final EncodingChoice encoding;
  private final List<Rung> rungs = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** The rungs, largest first or as listed, and what was not done as asked. */
  public record Ladder(List<Rung> rungs, List<String> notes) {
    public Ladder {
      rungs = List.copyOf(rungs);
      notes = List.copyOf(notes);
    }
  }

  private Ladders(VideoTrack source, EncodingChoice encoding) {
    this.source = source;
    this.encoding = encoding;
  }

  /** The ladder for a source. */
  public static Ladder of(VideoTrack source, LadderSpec spec, EncodingChoice encoding) {
    Ladders ladders = new Ladders(source, encoding);
    Frame own = Frame.of(source);
    switch (spec) {
      case LadderSpec.Auto _ -> ladders.automatic(own);
      case LadderSpec.Listed listed -> listed.rungs().forEach(ask -> ladders.asked(own, ask));
    }
    return ladders.ladder(own);
  }

  private void automatic(Frame own) {
    Frame top =
        own.shortSide() <= Frame.STEPS.getFirst() ? own : own.withShortSide(Frame.STEPS.getFirst());
    Stream<Frame> smaller =
        Frame.STEPS.stream()
            .filter(step -> step * 100 <= top.shortSide() * CLEARLY_SMALLER_PERCENT)
            .map(own::withShortSide);
    Stream.concat(Stream.of(top), smaller)
        .forEach(frame -> add(frame, OptionalInt.empty(), OptionalLong.empty()));
  }

  private void asked(Frame own, Ask ask) {
    Frame box =
        switch (ask.size()) {
          case Size.ShortSide side -> own.scaledToShortSide(side.pixels());
          case Size.Box size -> own.turnedLikeThis(size.width(), size.height());
        };
    if (box.width() > own.width() && box.height() > own.height()) {
      if (!own.isNearly(box, NEARLY_PERCENT)) {
        notes.add("Rung %s is left out: the source is only %s".formatted(ask.size(), own));
        return;
      }
      notes.add("Rung %s becomes %s, the size of the source".formatted(ask.size(), own));
    }
    Frame frame =
        switch (ask.size()) {
          case Size.ShortSide side -> own.withShortSide(side.pixels());
          case Size.Box _ -> own.within(box);
        };
    if (ask.size() instanceof Size.Box && !frame.equals(box) && !frame.equals(own)) {
      notes.add("Rung %s becomes %s, to keep the source's shape".formatted(ask.size(), frame));
    }
    add(frame, ask.crf(), ask.maxrateBits());
  }

  private void add(Frame frame, OptionalInt crf, OptionalLong maxrateBits) {
    String name = freeName(frame.shortSide() + "p");
    int quality = crf.orElse(encoding.crf().orElse(encoding.codec().usualCrf(frame.shortSide())));
    if (quality > encoding.codec().largestCrf()) {
      throw new PlanException(
          "Rung %s asks for crf %d; %s has 0 to %d"
              .formatted(name, quality, encoding.codec(), encoding.codec().largestCrf()));
    }
    OptionalLong limit = maxrateBits.isPresent() ? maxrateBits : encoding.maxRates().of(name);
    Rung rung = new Rung(name, frame.width(), frame.height(), quality, limit);
    if (rungs.stream().anyMatch(other -> isSame(other, rung))) {
      notes.add("Rung %s is asked for twice; it is made once".formatted(frame));
    } else {
      rungs.add(rung);
    }
  }

  private String freeName(String name) {
    String free = name;
    for (int number = 2; isTaken(free); number++) {
      free = name + "-" + number;
    }
    return free;
  }

  private boolean isTaken(String name) {
    return rungs.stream().anyMatch(rung -> rung.name().equals(name));
  }

  private static boolean isSame(Rung one, Rung other) {
    return one.width() == other.width()
        && one.height() == other.height()
        && one.crf() == other.crf()
        && one.maxrateBits().equals(other.maxrateBits());
  }

  private Ladder ladder(Frame own) {
    if (rungs.isEmpty()) {
      add(own, OptionalInt.empty(), OptionalLong.empty());
      notes.add(
          "No rung that was asked for fits; the source's own size, %s, is made".formatted(own));
    }
    int least = Math.min(source.displayWidth(), source.displayHeight());
    if (least < Frame.LEAST_SIDE) {
      notes.add(
          "The source is %dx%d; it is enlarged to %s, the least that encoders take"
              .formatted(source.displayWidth(), source.displayHeight(), own));
    }
    for (String name : encoding.maxRates().byRung().keySet()) {
      if (!isTaken(name)) {
        notes.add(
            "The maxrate of %s is not used: the rungs are %s"
                .formatted(name, String.join(", ", rungs.stream().map(Rung::name).toList())));
      }
    }
    return new Ladder(rungs, notes);
  }
}
