package dev.fairlead.media.supervise;

import static dev.fairlead.media.supervise.TestingWorkers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.supervise.TestingWorkers.TestingWorker;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.media.worker.TestingDecoding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of units when workers die, hang or are not wanted, without any process. */
class SupervisionTest implements WorkerOwner {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final UnitId ONE = new UnitId("720p", 0);
  private static final UnitId TWO = new UnitId("360p", 1);

  private Command.@Nullable Decode decode;
  private final TestingWorkers workers = new TestingWorkers();
  private final JobTotals totals = new JobTotals();
  private final Supervisor supervisor = new Supervisor(workers, totals, this);
  private final List<Set<UnitId>> crashed = Collections.synchronizedList(new ArrayList<>());
  private final List<Report> reported = Collections.synchronizedList(new ArrayList<>());

  @Override
  public Command.@Nullable Decode toDecode() {
    return decode;
  }

  @Override
  public void reported(Report report) {
    reported.add(report);
  }

  @Override
  public void crashed(Set<UnitId> units, String reason) {
    crashed.add(units);
  }

  @AfterEach
  void everyWorkerIsClosed() {
    supervisor.close();
    until("every worker is closed", workers::allAreClosed);
  }

  private interface Body {
    Object run() throws Exception;
  }

  private static CompletableFuture<Object> beside(Body body) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            result.complete(body.run());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  private static Object result(CompletableFuture<Object> of) throws Exception {
    return of.get(TestingWorkers.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static Command anything(long number) {
    return new Command.Cancel(number);
  }

  private CompletableFuture<Object> run(UnitId unit) {
    return beside(() -> runAgain(unit));
  }

  /** Comes again as the unit queue does, without a device meanwhile. */
  private Report.Answer runAgain(UnitId unit) throws Exception {
    while (true) {
      try {
        return supervisor.run(unit, SupervisionTest::anything, PATIENCE);
      } catch (NotReady notReady) {
        notReady.until().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private TestingWorker ready(int number, UnitId... units) {
    if (workers.started() == 0) {
      assertThat(supervisor.worker()).isNotNull();
    }
    TestingWorker worker = workers.worker(number);
    for (UnitId unit : units) {
      worker.report(new Report.Ready(unit.chunk(), Optional.empty()));
    }
    return worker;
  }

  private static void await(TestingWorker worker, int units) {
    until("%d units are in the worker".formatted(units), () -> worker.open() == units);
  }

  private List<Failure> ends() {
    return List.copyOf(reported).stream()
        .filter(Report.DecodeFailed.class::isInstance)
        .map(report -> ((Report.DecodeFailed) report).failure())
        .toList();
  }

  /** Units would wait for it without end: the job has to end, and with that reason. */
  @Test
  void aWorkerThatCannotBeReplacedIsReported() throws Exception {
    TestingWorker first = ready(0, ONE);
    var one = run(ONE);
    await(first, 1);

    workers.refuse();
    first.die();
    until("an end of decoding is reported", () -> !ends().isEmpty());
    assertThat(ends())
        .containsExactly(
            new Failure(
                Failure.Kind.WORK, "A worker process cannot be started: no process can be had"));
    supervisor.cancel();
    assertThatThrownBy(() -> result(one)).hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void unitsOfADeadWorkerRunInTheNextOneAtATime() throws Exception {
    TestingWorker first = ready(0, ONE, TWO);
    var one = run(ONE);
    var two = run(TWO);
    await(first, 2);

    first.die();
    TestingWorker second = ready(1, ONE, TWO);
    await(second, 1);
    assertThat(crashed).containsExactly(Set.of(ONE, TWO));
    second.answer();
    until("one of them is done", () -> one.isDone() || two.isDone());
    await(second, 1);
    second.answer();

    assertThat(result(one)).isInstanceOf(Report.ReadSubtitles.class);
    assertThat(result(two)).isInstanceOf(Report.ReadSubtitles.class);
    assertThat(totals.restarts()).isEqualTo(1);
  }

  @Test
  void aUnitThatKillsThreeWorkersOnItsOwnIsGivenUp() {
    var one = run(ONE);
    for (int worker = 0; worker < 3; worker++) {
      TestingWorker its = ready(worker, ONE);
      await(its, 1);
      its.die();
    }

    assertThatThrownBy(() -> result(one))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FailedException.class,
            failed -> {
              assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.WORK);
              assertThat(failed).hasMessageContaining("720p/000000 killed its worker process 3");
            });
  }

  @Test
  void aUnitThatHangsCostsItsWorkerAndIsBlamedAlone() throws Exception {
    TestingWorker first = ready(0, ONE, TWO);
    var one = run(ONE);
    await(first, 1);
    first.hang();

    assertThatThrownBy(() -> result(one))
        .cause()
        .isInstanceOfSatisfying(
            FailedException.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.DEVICE));
    TestingWorker second = ready(1, TWO);
    var two = run(TWO);
    await(second, 1);
    second.answer();
    assertThat(result(two)).isInstanceOf(Report.ReadSubtitles.class);
    until("the end is told", () -> !crashed.isEmpty());
    assertThat(crashed.getFirst()).doesNotContain(TWO);
  }

  @Test
  void aUnitRunsWhenItsChunkIsThere() throws Exception {
    TestingWorker first = ready(0);
    var one = run(ONE);
    first.report(new Report.Ready(ONE.chunk(), Optional.empty()));
    await(first, 1);
    first.answer();
    assertThat(result(one)).isInstanceOf(Report.ReadSubtitles.class);
  }

  @Test
  void noUnitHoldsItsDeviceWhileItCannotRun() throws Exception {
    assertThatThrownBy(() -> supervisor.run(ONE, SupervisionTest::anything, PATIENCE))
        .as("there is no worker")
        .isInstanceOf(NotReady.class);
    TestingWorker first = ready(0);
    assertThatThrownBy(() -> supervisor.run(ONE, SupervisionTest::anything, PATIENCE))
        .as("its chunk is not there")
        .isInstanceOf(NotReady.class);
    first.report(new Report.Ready(ONE.chunk(), Optional.empty()));
    first.report(new Report.Ready(TWO.chunk(), Optional.empty()));
    supervisor.suspect(Set.of(ONE));
    var two = run(TWO);
    await(first, 1);
    assertThatThrownBy(() -> supervisor.run(ONE, SupervisionTest::anything, PATIENCE))
        .as("a suspect runs alone")
        .isInstanceOf(NotReady.class);
    first.die();
    var onceMore = beside(() -> supervisor.run(TWO, SupervisionTest::anything, PATIENCE));
    assertThatThrownBy(() -> result(onceMore))
        .as("the next worker has nothing yet")
        .cause()
        .isInstanceOf(NotReady.class);
    TestingWorker second = ready(1, ONE, TWO);
    await(second, 1);
    second.answer();
    assertThat(result(two)).isInstanceOf(Report.ReadSubtitles.class);
  }

  @Test
  void everyWorkerIsToldOnceToDecodeAlsoOneThatIsStartedForIt() {
    Command.Decode command =
        TestingDecoding.command(
            TestingJobs.request(TestingClips.usual(), Path.of("out")),
            new Pumps(1, 1, 8),
            2,
            Set.of());
    decode = command;

    supervisor.begin(command);
    assertThat(workers.worker(0).told()).containsExactly(command);
    workers.worker(0).die();
    until("the next is told", () -> !workers.worker(1).told().isEmpty());

    assertThat(workers.worker(1).told()).containsExactly(command);
  }

  @Test
  void theJobEndsWhenWorkersDieAgainAndAgain() {
    for (int worker = 0; worker <= 30; worker++) {
      ready(worker).die();
    }
    until("the job is told", () -> !reported.isEmpty());

    assertThat(reported)
        .singleElement()
        .isInstanceOfSatisfying(
            Report.DecodeFailed.class,
            end -> assertThat(end.failure().kind()).isEqualTo(Failure.Kind.WORK));
    assertThat(workers.started()).isEqualTo(31);
  }

  @Test
  void whatIsAskedEndsAtOnceWhenTheJobIsCancelled() {
    TestingWorker first = ready(0);
    var asked = beside(() -> supervisor.persist(SupervisionTest::anything, PATIENCE));
    await(first, 1);

    supervisor.cancel();

    assertThatThrownBy(() -> result(asked)).isInstanceOf(ExecutionException.class);
    assertThat(workers.started()).isEqualTo(1);
  }

  @Test
  void aJobThatIsCancelledDoesNotWaitForAWorkerThatIsBeingStarted() {
    CountDownLatch gate = workers.slowStart();
    var asked = beside(() -> supervisor.persist(SupervisionTest::anything, PATIENCE));

    supervisor.cancel();

    assertThatThrownBy(() -> result(asked)).isInstanceOf(ExecutionException.class);
    supervisor.close();
    gate.countDown();
  }

  @Test
  void aJobMayEndWhileItsWorkerIsReplaced() throws Exception {
    TestingWorker first = ready(0);
    CountDownLatch gate = workers.slowStart();
    var replaced =
        beside(() -> {
          first.die();
          return "told";
        });
    until("another worker is being started", () -> workers.begun() == 2);

    supervisor.cancel();

    assertThat(result(replaced)).as("the thread that tells of it ends in order").isEqualTo("told");
    supervisor.close();
    gate.countDown();
  }

  @Test
  void aUnitThatWaitsForItsChunkHearsThatTheJobIsCancelled() {
    ready(0);
    var one = run(ONE);

    supervisor.cancel();

    assertThatThrownBy(() -> result(one)).cause().isInstanceOf(InterruptedException.class);
  }
}
