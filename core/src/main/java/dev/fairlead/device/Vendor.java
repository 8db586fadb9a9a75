package dev.fairlead.device;

import java.util.Locale;

/** A family of devices that share drivers and codecs. CPU lanes belong to {@link #OTHER}. */
public enum Vendor {
  NVIDIA,
  AMD,
  INTEL,
  OTHER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
