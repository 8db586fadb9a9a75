package dev.fairlead.dispatch;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Load;

/** A result, the device that made it, and the load that the device was chosen on. */
public record Dispatched<R>(R value, Device device, Load load) {}
