package dev.fairlead.service.http;

import java.util.Locale;

/** Constants as people and JSON write them. */
public final class Words {
  private Words() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
