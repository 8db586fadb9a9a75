package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.lease.Lease;
import dev.fairlead.nativecode.Cpus;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import dev.fairlead.pool.DevicePool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies between devices of the double, of which the first two reach each other and no others. */
class CudaPeersTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final byte[] BYTES = {3, 1, 4, 1, 5, 9, 2, 6};

  private final TestingCuda cuda = TestingCuda.with(3);
  private final CudaProvider provider = cuda.provider();
  private final Discovery found = provider.discover(List.of());
  private final List<Device> devices = found.devices();

  @AfterEach
  void allWasGivenBack() {
    cuda.requireCleanBooks();
  }

  private static DeviceBuffer put(ComputeContext context) {
    DeviceBuffer buffer = context.allocate(BYTES.length);
    try (StagingBuffer host = context.stage(BYTES.length)) {
      host.memory().copyFrom(MemorySegment.ofArray(BYTES));
      context.stream().upload(host, buffer);
      context.stream().synchronise();
    }
    return buffer;
  }

  /** Brings the bytes over, as work does that has a lease here, and reads them. */
  private static byte[] bring(ComputeContext context, DeviceBuffer from) {
    try (DeviceBuffer to = context.allocate(BYTES.length);
        StagingBuffer host = context.stage(BYTES.length)) {
      context.stream().copy(from, to);
      context.stream().download(to, host);
      context.stream().synchronise();
      return host.memory().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Puts bytes on one device and brings them to another, both leased; how often by each way. */
  private void cross(Device one, Device other) throws InterruptedException {
    try (DevicePool pool = DevicePool.open(found);
        Lease source = pool.lease(Demand.any().onlyOn(one.id()), LONG);
        Lease target = pool.lease(Demand.any().onlyOn(other.id()), LONG)) {
      DeviceBuffer from = source.run(slot -> put(slot.context(ComputeContext.class)));
      for (int time = 0; time < 2; time++) {
        byte[] got = target.run(slot -> bring(slot.context(ComputeContext.class), from));
        assertThat(got).isEqualTo(BYTES);
      }
      from.close();
      source.succeed();
      target.succeed();
    }
  }

  @Test
  void devicesThatReachEachOtherCopyWithoutTheHost() throws Exception {
    cross(devices.get(0), devices.get(1));

    assertThat(cuda.calls("cuMemcpyPeerAsync")).as("a trial before both copies").isEqualTo(3);
    assertThat(cuda.calls("cuCtxEnablePeerAccess")).as("once for both copies").isEqualTo(1);
    assertThat(cuda.calls("cuMemcpyHtoDAsync_v2")).as("at the start, and the trial").isEqualTo(2);
  }

  @Test
  void aWayThatLosesDataIsNotTaken() throws Exception {
    cuda.loseCopies(0, 1);
    cross(devices.get(0), devices.get(1));

    assertThat(cuda.calls("cuMemcpyPeerAsync")).as("the trial").isEqualTo(1);
  }

  @Test
  void eachDirectionIsTriedByItself() throws Exception {
    cuda.loseCopies(0, 1);
    cross(devices.get(1), devices.get(0));

    assertThat(cuda.calls("cuMemcpyPeerAsync")).isEqualTo(3);
  }

  @Test
  void aTrialThatCannotBeMadeSendsTheBytesOverTheHostAndIsMadeTheNextTime() throws Exception {
    cuda.memory(0, 4096);
    cross(devices.get(0), devices.get(1));
    assertThat(cuda.calls("cuMemcpyPeerAsync")).as("no memory for it there").isZero();

    cuda.memory(0, 1 << 30);
    cuda.memory(1, 4096);
    cross(devices.get(0), devices.get(1));
    assertThat(cuda.calls("cuMemcpyPeerAsync")).as("nor here").isZero();

    cuda.memory(1, 1 << 30);
    cross(devices.get(0), devices.get(1));
    assertThat(cuda.calls("cuMemcpyPeerAsync")).isEqualTo(3);
  }

  @Test
  void aDeviceThatFailsInTheTrialIsBlamedAndNotTheOther() throws Exception {
    try (DevicePool pool = DevicePool.open(found);
        Lease source = pool.lease(Demand.any().onlyOn(devices.get(0).id()), LONG);
        Lease target = pool.lease(Demand.any().onlyOn(devices.get(1).id()), LONG)) {
      DeviceBuffer from = source.run(slot -> put(slot.context(ComputeContext.class)));
      cuda.fail("cuMemcpyHtoDAsync_v2:1:719:0");

      assertThatThrownBy(() -> target.run(slot -> bring(slot.context(ComputeContext.class), from)))
          .isInstanceOf(ComputeException.OtherDeviceFailed.class);
      int here = target.run(slot -> TestingWork.compute(1, slot));
      assertThat(here).isEqualTo(1001);
      target.succeed();
    }
  }

  @Test
  void devicesThatDoNotReachEachOtherCopyOverTheHost() throws Exception {
    cross(devices.get(0), devices.get(2));

    assertThat(cuda.calls("cuMemcpyPeerAsync")).isZero();
    assertThat(cuda.calls("cuCtxEnablePeerAccess")).isZero();
    assertThat(cuda.calls("cuMemcpyHtoDAsync_v2")).isEqualTo(3);
    assertThat(cuda.calls("cuMemcpyDtoHAsync_v2")).isEqualTo(4);
  }

  @Test
  void whatAnotherLibraryHasEnabledBeforeIsUsed() {
    CudaInstallation.Ready ready = (CudaInstallation.Ready) CudaInstallation.on(cuda.host());
    ComputeContext source = (ComputeContext) provider.open(devices.get(0));
    ComputeContext target = (ComputeContext) provider.open(devices.get(1));
    source.bind();
    DeviceBuffer from = put(source);
    long context = source.handles().context();
    target.bind();
    int enabled =
        Downcall.number(() -> (int) ready.cu().ctxEnablePeerAccess().invokeExact(context, 0));

    assertThat(enabled).isZero();
    assertThat(bring(target, from)).isEqualTo(BYTES);
    assertThat(cuda.calls("cuMemcpyPeerAsync")).isEqualTo(2);
    target.close();
    source.bind();
    source.close();
  }

  @Test
  void aDeviceThatHasAsManyPeersAsItCanGoesOverTheHost() throws Exception {
    cuda.fail("cuCtxEnablePeerAccess:1:711");
    cross(devices.get(0), devices.get(1));
    assertThat(cuda.calls("cuMemcpyPeerAsync")).isZero();
    assertThat(cuda.calls("cuMemcpyHtoDAsync_v2")).isEqualTo(3);
  }

  @Test
  void aContextThatWasRebuiltIsReachedAnew() {
    ComputeContext target = (ComputeContext) provider.open(devices.get(1));
    target.bind();
    for (int generation = 0; generation < 2; generation++) {
      ComputeContext source = (ComputeContext) provider.open(devices.get(0));
      source.bind();
      DeviceBuffer from = put(source);
      target.bind();
      assertThat(bring(target, from)).isEqualTo(BYTES);
      source.bind();
      from.close();
      source.close();
      target.bind();
    }
    target.close();
    assertThat(cuda.calls("cuCtxEnablePeerAccess")).isEqualTo(2);
    assertThat(cuda.calls("cuMemcpyPeerAsync")).isEqualTo(4);
  }

  @Test
  void theDoubleRefusesWhatIsOutOfReach() {
    CudaInstallation.Ready ready = (CudaInstallation.Ready) CudaInstallation.on(cuda.host());
    CudaDevices all = new CudaDevices(ready.cu());
    try (CudaDriver one =
            new CudaDriver(
                ready.cu(), all.describe(0, uuid -> false), null, Cpus.any(), new CudaResets());
        CudaDriver far =
            new CudaDriver(
                ready.cu(), all.describe(2, uuid -> false), null, Cpus.any(), new CudaResets())) {
      far.bind();
      long from = far.allocate(8);
      one.bind();
      long to = one.allocate(8);
      long stream = one.openStream(Priority.NORMAL);
      ComputeDriver.Copy copy = new ComputeDriver.Copy(from, 0, to, 0, 8);
      assertThat(one.copyAcross(stream, far, copy)).isFalse();
      int refused =
          Downcall.number(() ->
              (int)
                  ready
                      .cu()
                      .memcpyPeerAsync()
                      .invokeExact(to, one.context(), from, far.context(), 8L, stream));
      assertThat(refused).isEqualTo(CudaCodes.PEER_ACCESS_UNSUPPORTED);
      assertThat(cuda.books()).contains("cuMemcpyPeerAsync: the contexts do not reach each other");
      one.closeStream(stream);
      one.free(to);
      far.bind();
      far.free(from);
    }
    TestingCuda.with(3);
  }
}
