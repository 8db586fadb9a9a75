package dev.fairlead.cuda;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Card;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Engine;
import dev.fairlead.device.Vendor;
import java.util.Set;

/**
 * A device as the driver describes it.
 *
 * @param ordinal its number among those that the driver shows
 * @param handle {@code CUdevice}
 * @param uuid as the driver's own tools write it, with {@code GPU-} or {@code MIG-} in front
 * @param pciAddress as the system writes it, such as {@code 0000:3b:00.0}; slices share it
 * @param slice whether it is a MIG slice of a device
 */
record CudaDevice(
    int ordinal,
    int handle,
    String uuid,
    String name,
    String pciAddress,
    ComputeCapability capability,
    long memoryBytes,
    int multiprocessors,
    boolean slice) {
  static final String WHOLE = "GPU-";
  static final String SLICE = "MIG-";

  /** Work on one slot is copied while work on the other computes. */
  private static final int SLOTS = 2;

  /** The driver does not tell how many encoders and decoders there are; a card that has any has. */
  private static final int LEAST_UNITS = 1;

  Device toDevice() {
    Device device =
        Device.of(DeviceKind.CUDA, ordinal)
            .withIdentity(DeviceId.of(uuid), name, Vendor.NVIDIA)
            .withSlots(SLOTS)
            .withUnits(Engine.ENCODE, LEAST_UNITS)
            .withUnits(Engine.DECODE, LEAST_UNITS)
            .withMemory(memoryBytes)
            .withComputeCapability(capability)
            .withCapabilities(Set.of(Capability.COMPUTE));
    return Card.told(pciAddress).map(device::withCard).orElse(device);
  }
}
