package dev.fairlead.service.device;

import dev.fairlead.device.Device;
import dev.fairlead.pool.DevicePool;
import java.util.List;
import java.util.Optional;

/** Devices that the API shows and changes: those of a pool, or of other machines. Thread-safe. */
public interface Lanes {
  /** How each stands; labels are those of no other lanes, and hold no slash. */
  List<DeviceView> all();

  /** Gives a device no more work; what it has it finishes. */
  void drain(String label);

  /** Gives a drained device work again. */
  void resume(String label);

  /** Those of a pool. */
  static Lanes of(DevicePool pool) {
    return new Lanes() {
      @Override
      public List<DeviceView> all() {
        return pool.snapshot().devices().stream().map(DeviceView::of).toList();
      }

      @Override
      public void drain(String label) {
        find(label).ifPresent(device -> pool.pause(device.id()));
      }

      @Override
      public void resume(String label) {
        find(label).ifPresent(device -> pool.resume(device.id()));
      }

      private Optional<Device> find(String label) {
        return pool.devices().stream().filter(device -> device.label().equals(label)).findFirst();
      }
    };
  }
}
