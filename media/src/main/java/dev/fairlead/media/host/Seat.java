package dev.fairlead.media.host;

import dev.fairlead.device.Device;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.units.Party;
import dev.fairlead.units.ServiceOptions;
import java.util.List;

/** What a job has of its host while it runs. */
public interface Seat {
  /**
   * What a job may use.
   *
   * @param memoryBytes in all, its encoders included
   * @param pumps how many may decode at once
   */
  record Share(long memoryBytes, int pumps) {}

  /** Joins the unit queue of the host. */
  Party join(int groups, ServiceOptions options);

  /**
   * What the job may use from now on, whose encoders on these devices take memory.
   *
   * @throws dev.fairlead.media.progress.Parked if others have to end first
   */
  Share share(TranscodePlan plan, List<Device> devices);

  /** Whether other jobs run beside this one. */
  boolean isShared();

  /** Looks whether the job may go on, now and then; it is parked if not. */
  void look();
}
