package dev.fairlead.device;

import java.util.Locale;

/** The kind of thing that a device is; it decides which backend opens it. */
public enum DeviceKind {
  CUDA,
  OPENCL,
  ENCODER,
  CPU,
  /** Not hardware: a device of a simulation or a test, always labelled as such. */
  SIMULATED;

  public boolean isAccelerator() {
    return this == CUDA || this == OPENCL || this == ENCODER;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
