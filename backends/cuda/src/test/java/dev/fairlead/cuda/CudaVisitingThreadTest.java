package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.pool.ContextHandle;
import dev.fairlead.pool.DevicePool;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** CUDA contexts that are bound on a caller's thread, against the driver double. */
class CudaVisitingThreadTest {
  private final TestingCuda cuda = TestingCuda.with(2);
  private final Discovery found = cuda.provider().discover(List.of());
  private final Device first = found.devices().get(0);
  private final Device second = found.devices().get(1);

  private static void roundTrip(ContextHandle.Bound bound, int value) {
    ComputeContext context = bound.context(ComputeContext.class);
    try (StagingBuffer host = context.stage(4);
        DeviceBuffer there = context.allocate(4)) {
      Stream stream = context.stream();
      stream.fill(there, (byte) value);
      stream.download(there, host);
      stream.synchronise();
      assertThat(host.memory().get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) value);
    }
  }

  @Test
  void theContextOfTheOuterScopeIsCurrentAgainAfterTheInnerOne() {
    try (DevicePool pool = DevicePool.open(found)) {
      try (ContextHandle.Bound outer = pool.context(first.id()).bind()) {
        roundTrip(outer, 1);
        try (ContextHandle.Bound inner = pool.context(second.id()).bind()) {
          roundTrip(inner, 2);
        }
        roundTrip(outer, 3);
      }
    }
    cuda.requireCleanBooks();
  }

  @Test
  void aVirtualThreadIsRefused() {
    try (DevicePool pool = DevicePool.open(found)) {
      CompletableFuture<Void> bound =
          CompletableFuture.runAsync(
              () -> pool.context(first.id()).bind().close(),
              task -> Thread.ofVirtual().start(task));
      assertThatThrownBy(() -> bound.orTimeout(20, TimeUnit.SECONDS).join())
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(ComputeException.WrongThread.class)
          .hasMessageContaining("platform thread");
    }
    cuda.requireCleanBooks();
  }
}
