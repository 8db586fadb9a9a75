package dev.fairlead.doctor.run;

import dev.fairlead.doctor.check.Effort;
import tools.jackson.databind.json.JsonMapper;

/**
 * How much is looked at.
 *
 * @param thorough whether what others may notice is done, too
 * @param evenIfBusy whether that is done on a card that others use at present
 */
public record Options(boolean thorough, boolean evenIfBusy, Effort effort) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  public Options(boolean thorough, boolean evenIfBusy) {
    this(thorough, evenIfBusy, Effort.USUAL);
  }

  /** As an argument of another process. */
  String argument() {
    return JSON.writeValueAsString(this);
  }

  static Options of(String argument) {
    return JSON.readValue(argument, Options.class);
  }
}
