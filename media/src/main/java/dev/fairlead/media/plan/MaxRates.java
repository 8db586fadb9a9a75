package dev.fairlead.media.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Bits a second that rungs are not to exceed.
 *
 * @param all for every rung that is not named
 * @param byRung for those that are, by name, such as {@code 720p}
 */
public record MaxRates(OptionalLong all, Map<String, Long> byRung) {
  public MaxRates {
    byRung = Collections.unmodifiableMap(new LinkedHashMap<>(byRung));
  }

  public static MaxRates none() {
    return new MaxRates(OptionalLong.empty(), Map.of());
  }

  /** Reads {@code 6M}, for every rung, or {@code 1080p=6M,720p=2.5M,360p=800k}, or both. */
  public static MaxRates parse(String text) {
    OptionalLong all = OptionalLong.empty();
    Map<String, Long> byRung = new LinkedHashMap<>();
    for (String item : text.split(",", -1)) {
      int equals = item.indexOf('=');
      if (equals < 0 && all.isEmpty()) {
        all = OptionalLong.of(BitRate.parse(item.strip(), "The maxrate"));
      } else if (equals > 0) {
        String rung = item.substring(0, equals).strip();
        long bits = BitRate.parse(item.substring(equals + 1).strip(), "The maxrate of " + rung);
        if (byRung.put(rung, bits) != null) {
          throw new IllegalArgumentException("The maxrate of " + rung + " is given twice: " + text);
        }
      } else {
        throw new IllegalArgumentException(
            "The maxrate \"%s\" is not understood at \"%s\"; write 6M or 1080p=6M,360p=800k"
                .formatted(text, item));
      }
    }
    return new MaxRates(all, byRung);
  }

  OptionalLong of(String rung) {
    Long own = byRung.get(rung);
    return own == null ? all : OptionalLong.of(own);
  }
}
