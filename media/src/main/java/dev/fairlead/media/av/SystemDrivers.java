package dev.fairlead.media.av;

import dev.fairlead.nativecode.Binding;
import java.util.List;

/**
 * The system's library of VAAPI. FFmpeg comes with one of its own for systems that have none;
 * drivers are made for the system's, and one that is older than the driver does not open it.
 */
public final class SystemDrivers {
  /** This one needs the others: {@code libva} and {@code libdrm}. */
  private static final List<String> VAAPI = List.of("libva-drm.so.2");

  private SystemDrivers() {}

  /**
   * Loads it, if there is one, before FFmpeg is loaded: a library that needs another by its name
   * gets the one of that name that is there already. A process that uses FFmpeg begins with this:
   * as soon as any of FFmpeg's classes is touched, it is too late.
   */
  public static void load() {
    Binding<Boolean> _ = Binding.of(VAAPI, symbols -> true);
  }
}
