package dev.fairlead.media.host;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.units.Party;
import dev.fairlead.units.ServiceOptions;
import java.util.List;

/** What a job has of its host while it runs. */
public interface Seat {
  /**
   * What a job may use.
   *
   * @param number a greater one than that of any share before
   * @param memoryBytes in all, its encoders included
   * @param pumps how many may decode at once
   * @param shared whether other jobs run beside it, or are about to
   */
  record Share(long number, long memoryBytes, int pumps, boolean shared) {
    /** As much of a plan as can be done with it. */
    public Admission admit(TranscodePlan plan, List<Device> devices, JobOptions options) {
      return Admission.of(
          plan,
          devices,
          options.pumps(pumps),
          Math.min(options.bound(plan.request()), memoryBytes));
    }
  }

  /** Joins the unit queue of the host. */
  Party join(int groups, ServiceOptions options);

  /**
   * What the job may use from now on, whose encoders on these devices take memory; waits until
   * others have let go of it. It decodes nothing yet.
   *
   * @throws dev.fairlead.media.progress.Parked if others have to end first
   */
  Share share(TranscodePlan plan, List<Device> devices) throws InterruptedException;

  /** What it may use at present. */
  Share share();

  /** It uses no more than the share of that number. */
  void within(long share);

  /** It decodes no more, and has let go of what it has decoded. */
  void decoded();

  /** Looks whether the job may go on, now and then; it is parked if not. */
  void look();
}
