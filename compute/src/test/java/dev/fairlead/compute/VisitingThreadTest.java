package dev.fairlead.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads of callers that use a context for a scope. */
class VisitingThreadTest {
  private final TestingDriver driver = new TestingDriver(10_000);
  private final Device device = Device.of(DeviceKind.SIMULATED, 0).withMemory(10_000);
  private final ComputeContext context = ComputeContext.over(device, driver);

  @AfterEach
  void close() {
    context.close();
    assertThat(driver.open).isEmpty();
  }

  @Test
  void mayCallItInsideOfTheScopeAndNotAfterwards() {
    assertThatThrownBy(() -> context.allocate(1))
        .isInstanceOf(ComputeException.WrongThread.class)
        .hasMessageContaining("DevicePool.context");
    context.bindGuest();
    DeviceBuffer buffer = context.allocate(100);
    context.stream().fill(buffer, (byte) 1);
    buffer.close();
    assertThat(driver.calls).contains("free");
    context.unbind();
    assertThatThrownBy(() -> context.allocate(1)).isInstanceOf(ComputeException.WrongThread.class);
  }

  @Test
  void takeTheirOwnStreamAlong() {
    context.bindGuest();
    Stream outer = context.stream();
    context.bindGuest();
    assertThat(context.stream()).isSameAs(outer);
    context.unbind();
    assertThat(outer.isOpen()).isTrue();
    context.unbind();
    assertThat(outer.isOpen()).isFalse();
    assertThat(context.openResources()).isZero();
  }

  @Test
  void areNotMovedToOtherProcessors() {
    AtomicInteger settled = new AtomicInteger();
    driver.settling = settled::incrementAndGet;
    context.bindGuest();
    context.unbind();
    assertThat(settled).hasValue(0);
  }

  @Test
  void aScopeOnTheDevicesOwnThreadTakesNothingFromIt() {
    context.bind();
    Stream own = context.stream();
    context.bindGuest();
    context.unbind();
    assertThat(context.stream()).isSameAs(own);
    context.allocate(1).close();
  }

  @Test
  void aPoisonedContextIsNotBoundAndIsLeftWithoutAWord() {
    context.bindGuest();
    driver.failNext("allocate", TestingDriver.ILLEGAL_ADDRESS);
    assertThatThrownBy(() -> context.allocate(1)).isInstanceOf(ComputeException.class);
    assertThatThrownBy(context::bindGuest).isInstanceOf(ComputeException.Poisoned.class);
    context.unbind();
    driver.open.clear();
  }

  @Test
  void aDriverThatDoesNotBindLetsNobodyIn() {
    driver.failNext("bind", TestingDriver.LAUNCH_FAILED);
    assertThatThrownBy(context::bindGuest).isInstanceOf(ComputeException.class);
    assertThatThrownBy(() -> context.allocate(1)).isInstanceOf(ComputeException.WrongThread.class);
  }
}
