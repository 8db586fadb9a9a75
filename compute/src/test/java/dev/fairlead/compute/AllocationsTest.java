package dev.fairlead.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that runs out while another thread gives some back. */
class AllocationsTest {
  private final TestingDriver driver = new TestingDriver(1000);
  private final ComputeContext context =
      ComputeContext.over(Device.of(DeviceKind.SIMULATED, 0).withMemory(1000), driver);

  @BeforeEach
  void bind() {
    context.bind();
  }

  @AfterEach
  void close() {
    context.close();
    assertThat(driver.open).isEmpty();
  }

  /** The buffer is no longer among those that others have, and its memory is not yet free. */
  @Test
  void memoryThatIsJustBeingFreedIsWaitedFor() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch asks = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    driver.freeing =
        () -> {
          inside.countDown();
          TestingDriver.await(go);
        };
    DeviceBuffer all = context.allocate(1000);
    CompletableFuture<Long> got = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() -> {
              context.bind();
              TestingDriver.await(inside);
              asks.countDown();
              try (DeviceBuffer late = context.allocate(1000)) {
                got.complete(late.bytes());
              } catch (RuntimeException failure) {
                got.completeExceptionally(failure);
              }
            });
    waiting.start();
    CompletableFuture<Void> watching =
        CompletableFuture.runAsync(() -> {
          TestingDriver.await(asks);
          TestingDriver.awaitWaiting(waiting);
          go.countDown();
        });
    all.close();

    TestingDriver.awaitEnd(waiting);
    watching.get(TestingDriver.PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(got.get()).isEqualTo(1000);
  }
}
