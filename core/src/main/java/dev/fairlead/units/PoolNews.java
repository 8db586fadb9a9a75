package dev.fairlead.units;

import dev.fairlead.device.DeviceId;
import dev.fairlead.event.PoolListener;
import java.util.function.Consumer;

/**
 * What a pool says of its devices, as far as it matters to which units they take.
 *
 * @param changed called when a device may serve that did not, or the other way round
 * @param freed called when a device may have room that it had not
 */
record PoolNews(Runnable changed, Consumer<DeviceId> freed) implements PoolListener {
  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Added _,
          Event.Removed _,
          Event.HealthChanged _,
          Event.Paused _,
          Event.Resumed _,
          Event.Leaving _,
          Event.Rebuilt _,
          Event.Closing _ ->
          changed.run();
      case Event.Freed(var device) -> freed.accept(device.id());
      case Event.Placed _,
          Event.Moved _,
          Event.Withdrawn _,
          Event.Ended _,
          Event.Missed _,
          Event.Overdue _,
          Event.Trouble _ -> {}
    }
  }

  @Override
  public boolean wantsLeases() {
    return false;
  }

  @Override
  public boolean wantsFreed() {
    return true;
  }
}
