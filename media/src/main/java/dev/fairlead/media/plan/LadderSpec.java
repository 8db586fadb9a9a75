package dev.fairlead.media.plan;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Which rungs are asked for. */
public sealed interface LadderSpec {
  /** The standard steps that the source is large enough for. */
  record Auto() implements LadderSpec {
    @Override
    public String toString() {
      return "auto";
    }
  }

  /** These. */
  record Listed(List<Ask> rungs) implements LadderSpec {
    public Listed {
      rungs = List.copyOf(rungs);
      if (rungs.isEmpty()) {
        throw new IllegalArgumentException("A ladder has at least one rung");
      }
    }

    @Override
    public String toString() {
      return rungs.stream().map(Ask::toString).collect(Collectors.joining(","));
    }
  }

  /** One rung that is asked for. */
  record Ask(Size size, OptionalInt crf, OptionalLong maxrateBits) {
    @Override
    public String toString() {
      return size
          + (crf.isPresent() ? "@crf" + crf.getAsInt() : "")
          + (maxrateBits.isPresent() ? "@maxrate" + maxrateBits.getAsLong() : "");
    }
  }

  /** How large. */
  sealed interface Size {
    /** The smaller of width and height; the other follows from the shape of the source. */
    record ShortSide(int pixels) implements Size {
      @Override
      public String toString() {
        return pixels + "p";
      }
    }

    /** A box to fit into, turned if the source stands upright. */
    record Box(int width, int height) implements Size {
      @Override
      public String toString() {
        return width + "x" + height;
      }
    }
  }

  static LadderSpec auto() {
    return new Auto();
  }

  /**
   * Reads {@code auto}, {@code 1080p,720p} or {@code 1280x720@crf30,640x360@crf34@maxrate800k}.
   *
   * @throws IllegalArgumentException saying which item is wrong, and what is allowed
   */
  static LadderSpec parse(String text) {
    return text.strip().toLowerCase(Locale.ROOT).equals("auto") ? auto() : LadderText.parse(text);
  }
}
