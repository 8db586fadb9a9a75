package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.PoolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contexts that are bound on threads of callers. */
@ExtendWith(NoThreadLeft.class)
class ContextHandleTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device first = devices(2).get(0);
  private final Device second = devices(2).get(1);

  private DevicePool open() {
    return DevicePool.open(backend.found(List.of(first, second)), still(ticker));
  }

  /** Says what it was asked to do, and can refuse it. */
  private static final class Scoped implements DeviceContext, DeviceProvider {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean refuses;

    @Override
    public String scheme() {
      return "scoped";
    }

    @Override
    public Discovery discover(List<String> terms) {
      return Discovery.of(this, List.of());
    }

    @Override
    public DeviceContext open(Device device) {
      return this;
    }

    @Override
    public void bind() {
      calls.add("bind " + Thread.currentThread().threadId());
      if (refuses) {
        throw fault(Fault.DEVICE);
      }
    }

    @Override
    public void unbind() {
      calls.add("unbind " + Thread.currentThread().threadId());
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }

  @Test
  void areFoundByIdByOrdinalAndByIndex() {
    try (DevicePool pool = open()) {
      ContextHandle handle = pool.context(second.id());
      assertThat(handle.device()).isEqualTo(second);
      assertThat(handle.index()).isEqualTo(1);
      assertThat(handle.generation()).isZero();
      assertThat(pool.context(DeviceKind.SIMULATED, 1).index()).isEqualTo(1);
      assertThat(pool.contextAt(0).device()).isEqualTo(first);
      assertThat(pool.contexts()).extracting(ContextHandle::device).containsExactly(first, second);
      assertThatThrownBy(() -> pool.contextAt(2)).isInstanceOf(PoolException.BadIndex.class);
      assertThatThrownBy(() -> pool.context(DeviceKind.SIMULATED, 5))
          .isInstanceOf(PoolException.UnknownDevice.class);
    }
  }

  @Test
  void areBoundOnTheCallersThreadForAScope() {
    Scoped scoped = new Scoped();
    try (DevicePool pool = DevicePool.open(Discovery.of(scoped, List.of(first)), still(ticker))) {
      try (ContextHandle.Bound bound = pool.context(first.id()).bind()) {
        assertThat(bound.context(Scoped.class)).isSameAs(scoped);
        assertThat(bound.device()).isEqualTo(first);
        assertThat(bound.generation()).isZero();
        assertThatThrownBy(() -> bound.context(TestingContext.class))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("TestingContext");
      }
      long here = Thread.currentThread().threadId();
      assertThat(scoped.calls).containsExactly("bind " + here, "unbind " + here);
    }
    assertThat(scoped.calls).hasSize(3).endsWith("close");
  }

  @Test
  void aContextThatDoesNotBindIsNotHeldOpen() {
    Scoped scoped = new Scoped();
    try (DevicePool pool = DevicePool.open(Discovery.of(scoped, List.of(first)), still(ticker))) {
      scoped.refuses = true;
      ContextHandle handle = pool.context(first.id());
      assertThatThrownBy(handle::bind).hasMessageContaining("DEVICE");
    }
    assertThat(scoped.calls).endsWith("close");
  }

  @Test
  void aScopeIsUsedOnItsThreadAndNotAfterItsEnd() throws Exception {
    try (DevicePool pool = open()) {
      ContextHandle.Bound bound = pool.context(first.id()).bind();
      var elsewhere = Eventually.start(() -> bound.context(TestingContext.class));
      assertThatThrownBy(elsewhere::result).isInstanceOf(WrongThreadException.class);
      var closing = Eventually.close(bound);
      assertThatThrownBy(closing::result).isInstanceOf(WrongThreadException.class);
      bound.close();
      bound.close();
      assertThatThrownBy(() -> bound.context(TestingContext.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void scopesNestAndTheInnermostIsCurrent() {
    try (DevicePool pool = open();
        ContextHandle.Bound outer = pool.context(first.id()).bind()) {
      try (ContextHandle.Bound inner = pool.context(second.id()).bind()) {
        assertThat(inner.context(TestingContext.class).device()).isEqualTo(second);
        assertThatThrownBy(() -> outer.context(TestingContext.class))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(outer::close).isInstanceOf(IllegalStateException.class);
      }
      assertThat(outer.context(TestingContext.class).device()).isEqualTo(first);
    }
  }

  @Test
  void theContextIsNotClosedWhileAScopeIsOpen() throws Exception {
    DevicePool pool = open();
    CountDownLatch bound = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    var user =
        Eventually.start(() -> {
          try (ContextHandle.Bound scope = pool.context(first.id()).bind()) {
            bound.countDown();
            Eventually.open(leave);
            return scope.context(TestingContext.class).closedOn().size();
          }
        });
    Eventually.open(bound);
    ContextHandle handle = pool.context(second.id());
    var closing = Eventually.close(pool);
    Eventually.until(
        "the other context is closed",
        () -> !backend.contexts(second).getFirst().closedOn().isEmpty());
    assertThat(backend.contexts(first).getFirst().closedOn()).isEmpty();
    assertThatThrownBy(handle::bind).isInstanceOf(PoolException.PoolClosed.class);
    leave.countDown();
    assertThat(user.result()).isZero();
    closing.result();
    assertThat(backend.contexts(first).getFirst().closedOn()).hasSize(1);
  }

  @Test
  void aScopeThatNeverEndsDoesNotKeepThePoolFromClosing() {
    PoolOptions options = still(ticker);
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(first)),
            options.withTiming(options.timing().withGrace(Duration.ofMillis(50))));
    ContextHandle.Bound bound = pool.context(first.id()).bind();
    pool.close();
    assertThat(bound.context(TestingContext.class).closedOn()).isEmpty();
    bound.close();
  }

  private void rebuild(DevicePool pool) throws InterruptedException {
    lease(pool, first).fail(fault(Fault.CONTEXT));
    tick(pool, ticker, Duration.ofSeconds(1));
  }

  private void awaitProbing(DevicePool pool) {
    Eventually.until(
        first + " is probing",
        () -> {
          pool.maintenance().tick(ticker.nanos());
          return pool.health(first.id()) == Health.PROBING;
        });
  }

  @Test
  void aHandleIsStaleAfterARebuildAndANewOneGivesTheNewContext() throws Exception {
    try (DevicePool pool = open()) {
      ContextHandle old = pool.context(first.id());
      rebuild(pool);
      awaitProbing(pool);
      assertThatThrownBy(old::bind)
          .isInstanceOf(PoolException.StaleGeneration.class)
          .hasMessageContainingAll("generation 0", first.toString(), "generation 1", "again");
      assertThat(backend.contexts(first).getFirst().boundOn())
          .doesNotContain(Thread.currentThread());
      ContextHandle fresh = pool.context(first.id());
      assertThat(fresh.generation()).isEqualTo(1);
      try (ContextHandle.Bound bound = fresh.bind()) {
        assertThat(bound.context(TestingContext.class)).isSameAs(backend.contexts(first).getLast());
      }
    }
  }

  @Test
  void aRebuildWaitsForTheScopesOfTheOldContext() throws Exception {
    try (DevicePool pool = open()) {
      ContextHandle handle = pool.context(first.id());
      try (ContextHandle.Bound bound = handle.bind()) {
        rebuild(pool);
        Eventually.until(
            "the rebuild has begun",
            () -> {
              pool.maintenance().tick(ticker.nanos());
              return pool.context(first.id()).generation() == 1;
            });
        assertThat(bound.context(TestingContext.class).closedOn()).isEmpty();
        assertThat(backend.contexts(first)).hasSize(1);
        assertThatThrownBy(handle::bind).isInstanceOf(PoolException.StaleGeneration.class);
        assertThatThrownBy(pool.context(first.id())::bind)
            .isInstanceOf(PoolException.NoContext.class)
            .hasMessageContaining("quarantine");
      }
      awaitProbing(pool);
      assertThat(backend.contexts(first)).hasSize(2);
      assertThat(backend.contexts(first).getFirst().closedOn()).hasSize(1);
    }
  }

  @Test
  void aDeviceWhoseContextHasNotOpenedYetHasNoneToBind() {
    backend
        .on(first)
        .opens(() -> {
          throw fault(Fault.BUSY);
        });
    try (DevicePool pool = open()) {
      assertThatThrownBy(pool.context(first.id())::bind)
          .isInstanceOf(PoolException.NoContext.class)
          .hasMessageContaining(first.toString());
    }
  }

  @Test
  void aRemovedDeviceHasNoneToBind() throws Exception {
    try (DevicePool pool = open()) {
      ContextHandle handle = pool.context(first.id());
      assertThat(pool.remove(first.id(), TestingPools.LONG)).isTrue();
      Eventually.until(
          "its context is closed", () -> !backend.contexts(first).getFirst().closedOn().isEmpty());
      assertThatThrownBy(handle::bind).isInstanceOf(PoolException.NoContext.class);
    }
  }

  @Test
  void devicesWithoutABackendHaveAContextWithNothingBehindIt() {
    try (DevicePool pool = DevicePool.of(List.of(first), still(ticker));
        ContextHandle.Bound bound = pool.contextAt(0).bind()) {
      assertThat(bound.context(DeviceContext.class)).isNotNull();
    }
  }
}
