package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.choice.CardFrames;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.EncoderTrials;
import dev.fairlead.media.prepare.Encoders;
import dev.fairlead.media.prepare.TrialRules;
import dev.fairlead.media.prepare.Unable;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked before there are chunks outlives the worker that was asked. */
class SupervisorTest implements WorkerOwner {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final JobTotals totals = new JobTotals();
  private volatile Runnable onCrash = () -> {};
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  private Supervisor supervisor() {
    Confinement limits = Confinement.to(List.of(TestingClips.usual()), List.of(directory));
    return new Supervisor(
        reports -> WorkerProcess.start(directory.resolve("log"), limits, reports), totals, this);
  }

  private static Command probe(long number) {
    return new Command.InspectSource(number, TestingClips.usual());
  }

  @Test
  void asksAgainWhenItsWorkerDies() throws Exception {
    try (Supervisor supervisor = supervisor()) {
      AtomicInteger asked = new AtomicInteger();
      Report.Answer answer =
          supervisor.persist(
              number -> {
                if (asked.incrementAndGet() < 3) {
                  supervisor.worker().kill();
                }
                return probe(number);
              },
              PATIENCE);
      assertThat(answer).isInstanceOf(Report.Inspected.class);
      assertThat(totals.restarts()).isEqualTo(2);
      assertThat(told).hasSize(2);
    }
  }

  @Test
  void givesUpWhenEveryWorkerDies() {
    try (Supervisor supervisor = supervisor()) {
      assertThatThrownBy(() ->
              supervisor.persist(
                  number -> {
                    supervisor.worker().kill();
                    return probe(number);
                  },
                  PATIENCE))
          .isInstanceOfSatisfying(
              FailedException.class,
              failed -> assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.CRASHED));
    }
  }

  @Test
  void encodersAreTestedByAnotherWorkerWhenOneDies() throws Exception {
    try (Supervisor supervisor = supervisor();
        DevicePool pool = DevicePool.of(Discovery.find("cpu:1").devices())) {
      Report.Inspected probed =
          (Report.Inspected) supervisor.persist(SupervisorTest::probe, PATIENCE);
      TranscodePlan plan =
          TranscodePlan.of(
              probed.info(), TestingJobs.request(TestingClips.usual(), directory.resolve("out")));
      supervisor.worker().kill();
      Encoders encoders =
          Encoders.test(
              plan,
              pool.devices(),
              supervisor,
              Map.of(),
              new TrialRules(
                  new Unable(Map.of()),
                  new CardFrames(FramesChoice.AUTO, Map.of(), notice -> {}),
                  new EncoderTrials(),
                  pool,
                  ""));
      assertThat(encoders.devices()).hasSize(1);
      assertThat(encoders.promise(0).struck()).isEmpty();
    }
  }

  /** Whoever is told of an end writes it down, and can do so only until the job is closed. */
  @Test
  void theJobIsNotOverWhileTheEndOfAWorkerIsTold() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean overTooSoon = new AtomicBoolean();
    CountDownLatch told = new CountDownLatch(1);
    Supervisor supervisor = supervisor();
    Thread closer =
        Thread.ofPlatform()
            .unstarted(() -> {
              supervisor.close();
              over.set(true);
            });
    onCrash =
        () -> {
          closer.start();
          while (closer.getState() != Thread.State.WAITING && closer.isAlive()) {
            Thread.onSpinWait();
          }
          overTooSoon.set(over.get());
          told.countDown();
        };
    supervisor.worker().kill();
    assertThat(told.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(closer.join(PATIENCE)).isTrue();
    assertThat(overTooSoon).isFalse();
  }

  @Override
  public Command.@Nullable Decode toDecode() {
    return null;
  }

  @Override
  public void reported(Report report) {}

  @Override
  public void crashed(Set<UnitId> units, String reason) {
    told.add(reason);
    onCrash.run();
  }
}
