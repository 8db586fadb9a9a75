package dev.fairlead.media.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.Fingerprint;
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

  @Test
  void anOutputOfAnotherSourceSaysWhichOneItWasMadeFrom() {
    Fingerprint bear = Fingerprint.empty().with("source", "7 bytes").with("source audio 1", "aac");
    Fingerprint clip = Fingerprint.empty().with("source", "8 bytes").with("source audio 1", "mp3");
    begin(bear.named("bear.mp4"));

    assertThat(refusal(clip.named("clip.mp4"))).isEqualTo(out() + " was made from bear.mp4");
    assertThat(refusal(clip.named("bear.mp4")))
        .isEqualTo(out() + " was made from bear.mp4 as it was before that changed");
  }

  @Test
  void anOutputOfOtherSettingsSaysWhichOnesTheyAre() {
    Fingerprint bear = Fingerprint.empty().with("source", "7 bytes").named("bear.mp4");
    begin(bear.with("video", "AV1, preset 9"));

    assertThat(refusal(bear.with("video", "AV1, preset 4")))
        .isEqualTo(
            out() + " holds another job: video was \"AV1, preset 9\" and is now \"AV1, preset 4\"");
  }

  private Path out() {
    return directory.resolve("out");
  }

  private JobStore open() {
    return JobStore.open(TranscodeRequest.of(directory.resolve("in.mp4"), out()));
  }

  private void begin(Fingerprint facts) {
    try (JobStore store = open()) {
      assertThat(store.takeUp(facts, List.of(), notice -> {})).isFalse();
      store.started(new UnitId("720p", 0), DeviceId.of("cpu:0"));
    }
  }

  private String refusal(Fingerprint facts) {
    try (JobStore store = open()) {
      return assertThrows(
              TranscodeException.BadRequest.class,
              () -> store.takeUp(facts, List.of(), notice -> {}))
          .what();
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
