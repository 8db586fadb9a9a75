package dev.fairlead.cuda;

import dev.fairlead.device.DeviceContext;
import java.util.Optional;

/**
 * A device on which this process has opened no context: NVML tells what is free there and what
 * others do.
 *
 * @param totalBytes what counts as free where the device does not tell
 */
record CudaUnopened(NvmlDevice nvml, long totalBytes) implements DeviceContext.Unopened {
  @Override
  public Optional<Sample> sample() {
    return Optional.of(new Sample(nvml.freeBytes().orElse(totalBytes), nvml.foreignStreams()));
  }

  /** Whether it is there; whether it computes is for those to find out who open it. */
  @Override
  public void probe() {
    nvml.requireThere();
  }
}
