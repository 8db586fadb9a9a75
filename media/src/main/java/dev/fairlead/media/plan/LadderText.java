package dev.fairlead.media.plan;

import dev.fairlead.media.plan.LadderSpec.Ask;
import dev.fairlead.media.plan.LadderSpec.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The written form of a ladder: rungs after commas, each a size and what is to be said of it. */
final class LadderText {
  private static final Pattern SHORT_SIDE = Pattern.compile("(\\d{1,9})[pP]");
  private static final Pattern BOX = Pattern.compile("(\\d{1,9})[xX×](\\d{1,9})");
  private static final Pattern CRF = Pattern.compile("(?i)crf(\\d{1,9})");
  private static final Pattern MAXRATE = Pattern.compile("(?i)maxrate(.*)");
  private static final String ALLOWED =
      "; write auto, or rungs such as 1080p,720p or 1280x720@crf30@maxrate800k";

  private LadderText() {}

  static LadderSpec parse(String text) {
    List<Ask> rungs = new ArrayList<>();
    String[] items = text.split(",", -1);
    for (int i = 0; i < items.length; i++) {
      String item = items[i].strip();
      String where = "Rung %d of the ladder, \"%s\",".formatted(i + 1, item);
      rungs.add(rung(item.split("@", -1), where));
    }
    return new LadderSpec.Listed(rungs);
  }

  private static Ask rung(String[] parts, String where) {
    OptionalInt crf = OptionalInt.empty();
    OptionalLong maxrate = OptionalLong.empty();
    Size size = size(parts[0], where);
    for (int i = 1; i < parts.length; i++) {
      Matcher quality = CRF.matcher(parts[i]);
      Matcher rate = MAXRATE.matcher(parts[i]);
      if (quality.matches() && crf.isEmpty()) {
        crf = OptionalInt.of(number(quality.group(1), 0, VideoCodec.AV1.largestCrf(), where));
      } else if (rate.matches() && maxrate.isEmpty()) {
        maxrate = OptionalLong.of(BitRate.parse(rate.group(1), where + " has a maxrate that"));
      } else {
        throw new IllegalArgumentException(
            where
                + " is not understood at \"@"
                + parts[i]
                + "\"; after the size come @crf and @maxrate, once each"
                + ALLOWED);
      }
    }
    return new Ask(size, crf, maxrate);
  }

  private static Size size(String text, String where) {
    Matcher side = SHORT_SIDE.matcher(text);
    if (side.matches()) {
      return new Size.ShortSide(side(side.group(1), where));
    }
    Matcher box = BOX.matcher(text);
    if (box.matches()) {
      return new Size.Box(side(box.group(1), where), side(box.group(2), where));
    }
    throw new IllegalArgumentException(where + " has no size" + ALLOWED);
  }

  private static int side(String digits, String where) {
    return number(digits, Frame.LEAST_SIDE, Frame.MOST_SIDE, where);
  }

  private static int number(String digits, int least, int most, String where) {
    int number = Integer.parseInt(digits);
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "%s has %d, which is not from %d to %d".formatted(where, number, least, most));
    }
    return number;
  }
}
