package dev.fairlead.media.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.UnitId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobStoreTest {
  private static final int UNITS = 100;
  private static final int SECONDS = 60;

  @TempDir private Path directory;

  /** What a unit's end leads to needs its file, whichever of two clones has ended it. */
  @Test
  void aUnitIsCommittedWhenEitherOfItsClonesHasReturned() throws Exception {
    TranscodeRequest request =
        TranscodeRequest.of(directory.resolve("in.mp4"), directory.resolve("out"));
    try (JobStore store = JobStore.open(request);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      CyclicBarrier together = new CyclicBarrier(2);
      List<Future<Integer>> clones = new ArrayList<>();
      for (DeviceId device : List.of(DeviceId.of("cpu:0"), DeviceId.of("cpu:1"))) {
        clones.add(threads.submit(clone(store, device, together)));
      }
      for (Future<Integer> clone : clones) {
        assertThat(clone.get(SECONDS, TimeUnit.SECONDS)).as("units not there").isZero();
      }
      assertThat(store.committed()).hasSize(UNITS);
    }
  }

  private static Callable<Integer> clone(JobStore store, DeviceId device, CyclicBarrier together) {
    return () -> {
      int missing = 0;
      for (int chunk = 0; chunk < UNITS; chunk++) {
        UnitId unit = new UnitId("720p", chunk);
        Path file = store.chunkFile(unit, device);
        together.await(SECONDS, TimeUnit.SECONDS);
        store.committed(unit, file, new ChunkFile.Summary(60, 1_000, "00"));
        missing += store.committed().containsKey(unit) ? 0 : 1;
      }
      return missing;
    };
  }
}
