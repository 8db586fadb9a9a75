package dev.fairlead.device;

/**
 * A running place on a device, as work sees it: the device, which of its threads this is, and the
 * context that is bound there. What work makes in a context belongs to its generation.
 */
public record Slot(Device device, int number, int generation, DeviceContext context) {
  /** The backend's own context, for work that is written for one backend. */
  public <C extends DeviceContext> C context(Class<C> type) {
    return context.as(type, device);
  }
}
