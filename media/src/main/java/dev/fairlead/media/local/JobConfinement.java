package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.supervise.Confinement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What the worker of a job may touch: it reads the source, and writes where the chunks are. */
final class JobConfinement {
  private JobConfinement() {}

  static Confinement of(
      TranscodeRequest request, JobOptions options, JobStore store, Consumer<String> notices) {
    long memoryBytes = options.bound(request);
    if (!options.worker().confined()) {
      return Confinement.none().withMemory(memoryBytes);
    }
    if (!Confinement.isPossible()) {
      notices.accept("The worker is not confined: this kernel has no Landlock");
    }
    List<Path> written = new ArrayList<>(List.of(store.directory()));
    List<Device> devices = options.pool().devices();
    written.addAll(DeviceAddress.written(devices));
    return Confinement.to(List.of(request.input()), written)
        .withDevices(DeviceAddress.nodes(devices))
        .withMemory(memoryBytes);
  }
}
