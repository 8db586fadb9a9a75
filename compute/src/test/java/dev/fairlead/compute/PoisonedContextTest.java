package dev.fairlead.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Priority;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A context that a fault has poisoned: calls are refused, awaited work fails with that fault. */
@Timeout(60)
class PoisonedContextTest {
  private static final Device DEVICE = Device.of(DeviceKind.SIMULATED, 0).withMemory(1000);

  private final TestingDriver driver = new TestingDriver(1000);
  private final CountDownLatch awaited = new CountDownLatch(1);
  private final ComputeContext context = ComputeContext.over(DEVICE, driver);

  @BeforeEach
  void bind() {
    driver.events = new CountDownLatch(1);
    driver.awaiting = awaited::countDown;
    context.bind();
  }

  @AfterEach
  void close() {
    context.close();
    driver.events.countDown();
  }

  private ComputeException.DriverFailed poison(DeviceBuffer buffer) {
    driver.failNext("fill", TestingDriver.ILLEGAL_ADDRESS);
    try {
      context.stream().fill(buffer, (byte) 0);
    } catch (ComputeException.DriverFailed failure) {
      return failure;
    }
    throw new AssertionError("It was to fail");
  }

  private static Throwable failureOf(CompletableFuture<Void> completion) throws Exception {
    try {
      completion.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      return Objects.requireNonNull(failed.getCause());
    }
    throw new AssertionError("It was to fail");
  }

  @Test
  void itRefusesEverythingAndFailsWhatIsAwaited() throws Exception {
    DeviceBuffer buffer = context.allocate(4);
    var completion = context.stream().mark().completion().toCompletableFuture();
    TestingDriver.await(awaited);

    ComputeException.DriverFailed failure = poison(buffer);
    assertThat(failure.fault()).isEqualTo(Fault.CONTEXT);
    assertThat(failure.driverError().orElseThrow().code()).isEqualTo(700);
    assertThat(failure).hasMessageContaining("TESTING_700");

    assertThat(failureOf(completion)).isSameAs(failure);
    driver.calls.clear();
    assertThatThrownBy(() -> context.allocate(4))
        .isInstanceOf(ComputeException.Poisoned.class)
        .hasMessageContaining("TESTING_700");
    buffer.close();
    context.close();
    assertThat(driver.calls).containsExactly("close");
  }

  @Test
  void whoAsksForACompletionAfterwardsHearsOfTheSameFailure() throws Exception {
    DeviceBuffer buffer = context.allocate(4);
    Event event = context.stream().mark();

    ComputeException.DriverFailed failure = poison(buffer);

    assertThat(failureOf(event.completion().toCompletableFuture())).isSameAs(failure);
    assertThatThrownBy(event::await).isInstanceOf(ComputeException.Poisoned.class);
  }

  @Test
  void itFailsAtOnceBehindAnEventThatTheDriverNeverAnswersFor() throws Exception {
    DeviceBuffer buffer = context.allocate(4);
    var before = context.stream().mark().completion().toCompletableFuture();
    Event later = context.stream().mark();
    TestingDriver.await(awaited);

    ComputeException.DriverFailed failure = poison(buffer);
    assertThat(failureOf(before)).isSameAs(failure);

    assertThat(failureOf(later.completion().toCompletableFuture())).isSameAs(failure);
  }

  /** The thread that is to wait for the event finds the context poisoned before it has begun. */
  @Test
  void anEventWhoseWaitingHasNotBegunFailsWithThatToo() throws Exception {
    DeviceBuffer buffer = context.allocate(4);
    Event event = context.stream().mark();
    CompletableFuture<ComputeException> failure = new CompletableFuture<>();
    driver.settling =
        () -> {
          driver.settling = () -> {};
          // On the thread that is to wait, between its start and its first call.
          driver.boundThreads.add(Thread.currentThread());
          driver.failNext("openStream", TestingDriver.ILLEGAL_ADDRESS);
          try {
            context.openStream(Priority.NORMAL);
          } catch (ComputeException.DriverFailed failed) {
            failure.complete(failed);
          }
        };
    var completion = event.completion().toCompletableFuture();

    assertThat(failureOf(completion)).isSameAs(failure.get(10, TimeUnit.SECONDS));
    buffer.close();
  }

  @Test
  void theFirstFailureIsTheOneThatCounts() throws Exception {
    DeviceBuffer buffer = context.allocate(4);
    var completion = context.stream().mark().completion().toCompletableFuture();
    TestingDriver.await(awaited);
    driver.failNext("awaited", TestingDriver.DEVICE_LOST);

    ComputeException.DriverFailed failure = poison(buffer);
    driver.events.countDown();

    assertThat(failureOf(completion)).isSameAs(failure);
  }
}
