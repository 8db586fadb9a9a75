package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transcode that is killed or cancelled goes on where it was, and ends with the same bytes. */
class ResumeTest {
  private static final int KILLS = Boolean.getBoolean("fairlead.full") ? 20 : 4;

  @TempDir private Path directory;

  @Test
  void killedAtAnyMomentItGoesOn() throws Exception {
    Path source = TestingClips.usual();
    Path calm = directory.resolve("calm");
    TestingJobs.run(TestingJobs.request(source, calm), "cpu:2");
    long seed = Long.getLong("fairlead.seed", 42);
    Random random = new Random(seed);

    Path output = directory.resolve("out");
    int finished = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      Process process = TestingJobProcess.start(source, output);
      boolean ended = process.waitFor(300 + random.nextInt(5_000), TimeUnit.MILLISECONDS);
      List<ProcessHandle> workers = process.descendants().toList();
      process.destroyForcibly().waitFor();
      for (ProcessHandle worker : workers) {
        worker.onExit().get(10, TimeUnit.SECONDS);
      }
      if (ended) {
        finished++;
        assertThat(process.exitValue()).as("seed %d, kill %d", seed, kill).isZero();
        assertThat(TestingJobs.hashes(output)).isEqualTo(TestingJobs.hashes(calm));
        TestingFiles.delete(output);
      }
    }
    TestingJobs.run(TestingJobs.request(source, output), "cpu:2");
    assertThat(TestingJobs.hashes(output))
        .as("seed %d, %d runs came to their end", seed, finished)
        .isEqualTo(TestingJobs.hashes(calm));
  }

  @Test
  void committedChunksAreNotEncodedAgain() throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    assertThatThrownBy(() ->
            TestingJobs.run(
                request,
                "cpu:1",
                ChaosPlan.parse("throw@90p/2x*"),
                Duration.ofSeconds(30),
                TranscodeListener.none()))
        .isInstanceOf(TranscodeException.GaveUp.class);
    AtomicInteger committed = new AtomicInteger();
    AtomicInteger resumed = new AtomicInteger();
    TestingJobs.run(
        request,
        "cpu:1",
        ChaosPlan.none(),
        Duration.ofSeconds(30),
        event -> {
          switch (event) {
            case TranscodeListener.Event.Planned planned -> resumed.set(planned.resumed());
            case TranscodeListener.Event.Committed again -> committed.incrementAndGet();
            default -> {}
          }
        });
    assertThat(resumed).as("chunks taken over").hasPositiveValue();
    assertThat(committed.get() + resumed.get()).as("chunks in all").isEqualTo(6);
  }

  /** The journal has the promise as the init segment holds it, and not as the encoder gave it. */
  @Test
  void whatGoesOnInH264HasTheBytesOfOneInOnePiece() throws Exception {
    Path calm = directory.resolve("calm");
    Path output = directory.resolve("out");
    TranscodeRequest request =
        TestingJobs.request(TestingClips.usual(), output).withCodec(VideoCodec.H264);
    TestingJobs.run(
        TestingJobs.request(TestingClips.usual(), calm).withCodec(VideoCodec.H264), "cpu:1");
    assertThatThrownBy(() ->
            TestingJobs.run(
                request,
                "cpu:1",
                ChaosPlan.parse("throw@90p/2x*"),
                Duration.ofSeconds(30),
                TranscodeListener.none()))
        .isInstanceOf(TranscodeException.GaveUp.class);
    TestingJobs.run(request, "cpu:1");
    assertThat(TestingJobs.hashes(output)).isEqualTo(TestingJobs.hashes(calm));
  }

  /** The last chunk hangs in the first run, and any sound that is begun crashes in the second. */
  @Test
  void soundThatIsCompleteIsNotDecodedAgain() throws Exception {
    TestingJobs.run(TestingJobs.request(TestingClips.usual(), directory.resolve("calm")), "cpu:2");
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    AtomicReference<Runnable> cancel = new AtomicReference<>(() -> {});
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      Transcode running =
          new LocalTranscodes(
                  new JobOptions(
                      pool,
                      ServicePolicies.anyRung(),
                      ChaosPlan.parse("hang@180p/2x*"),
                      Duration.ofSeconds(60)))
              .submit(
                  request,
                  event -> {
                    if (event instanceof TranscodeListener.Event.Progress progress
                        && progress.sounds().stream()
                            .allMatch(its -> its.status() == TranscodeListener.Status.COMPLETE)) {
                      cancel.get().run();
                    }
                  });
      cancel.set(running::cancel);
      assertThatThrownBy(running::await).isInstanceOf(TranscodeException.Cancelled.class);
    }
    TranscodeResult result =
        TestingJobs.run(
            request,
            "cpu:2",
            ChaosPlan.parse("crash@audio-1/0x*,crash@audio-1/1x*"),
            Duration.ofSeconds(30),
            TranscodeListener.none());
    assertThat(result.workerRestarts()).as(result.restartReason()).isZero();
    assertThat(TestingJobs.hashes(output)).isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
  }

  @Test
  void unitsThatWereStoppedHaveNotFailed() throws Exception {
    Path source =
        TestingClips.clip(
            "slow.mp4",
            "-f lavfi -i testsrc2=s=640x360:r=60,noise=alls=40:allf=t -t 4 -c:v libopenh264"
                + " -b:v 9M -an");
    List<String> failed = new CopyOnWriteArrayList<>();
    AtomicReference<Runnable> cancel = new AtomicReference<>(() -> {});
    AtomicInteger started = new AtomicInteger();
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      Transcode running =
          new LocalTranscodes(
                  new JobOptions(
                      pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(30)))
              .submit(
                  TestingJobs.request(source, directory.resolve("out")).withPreset(6),
                  event -> {
                    if (event instanceof TranscodeListener.Event.Requeued again) {
                      failed.add(again.reason());
                    }
                    if (event instanceof TranscodeListener.Event.Progress && started.get() >= 2) {
                      cancel.get().run();
                    }
                    if (event instanceof TranscodeListener.Event.Started) {
                      started.incrementAndGet();
                    }
                  });
      cancel.set(running::cancel);
      assertThatThrownBy(running::await).isInstanceOf(TranscodeException.Cancelled.class);
    }
    assertThat(failed).isEmpty();
  }

  @Test
  void cancelledItStopsAndTheSameRequestGoesOn() throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    AtomicReference<Runnable> cancel = new AtomicReference<>(() -> {});
    AtomicInteger committed = new AtomicInteger();
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"))) {
      Transcode running =
          new LocalTranscodes(
                  new JobOptions(
                      pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofSeconds(30)))
              .submit(
                  request,
                  event -> {
                    if (event instanceof TranscodeListener.Event.Committed
                        && committed.incrementAndGet() == 2) {
                      cancel.get().run();
                    }
                  });
      cancel.set(running::cancel);
      assertThatThrownBy(running::await).isInstanceOf(TranscodeException.Cancelled.class);
    }
    assertThat(Files.exists(output.resolve("master.m3u8"))).isFalse();
    assertThat(TestingJobs.run(request, "cpu:1").rungs())
        .extracting(TranscodeResult.RungResult::frames)
        .containsOnly(180L);
  }
}
