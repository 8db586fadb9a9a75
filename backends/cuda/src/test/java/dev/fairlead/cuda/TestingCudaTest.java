package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.nativecode.Cpus;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.policy.Priority;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The driver double notices what it is there to notice. */
class TestingCudaTest {
  private final TestingCuda cuda = TestingCuda.with(2);
  private final CudaHost host = cuda.host();
  private final CudaInstallation.Ready ready = (CudaInstallation.Ready) CudaInstallation.on(host);

  private CudaDriver open(int ordinal) {
    CudaDevice device = new CudaDevices(ready.cu()).describe(ordinal, uuid -> false);
    return new CudaDriver(ready.cu(), device, null, Cpus.any(), new CudaResets());
  }

  /** As the driver frees: what the backend frees, it keeps for a while. */
  private int free(long memory) {
    return Downcall.number(() -> (int) ready.cu().memFree().invokeExact(memory));
  }

  @Test
  void memoryThatIsFreedTwiceIsInTheBooks() {
    try (CudaDriver driver = open(0)) {
      driver.bind();
      long memory = driver.allocate(64);
      assertThat(free(memory)).isZero();
      assertThat(free(memory)).isNotZero();
    }
    assertThat(cuda.books()).isEqualTo("cuMemFree_v2: double free\n");
  }

  @Test
  void memoryThatIsUsedAfterItWasFreedIsInTheBooksAndPoisonsTheContext() {
    try (CudaDriver driver = open(0)) {
      driver.bind();
      long stream = driver.openStream(Priority.NORMAL);
      long memory = driver.allocate(64);
      assertThat(free(memory)).isZero();
      driver.fill(stream, new ComputeDriver.Copy(0, 0, memory, 0, 64), (byte) 0);
      assertThatThrownBy(() -> driver.synchronise(stream))
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
    }
    assertThat(cuda.books()).isEqualTo("cuMemsetD8Async: use after free of memory\n");
  }

  @Test
  void whatIsNotGivenBackIsInTheBooks() {
    try (CudaDriver driver = open(0)) {
      driver.bind();
      long leaked = driver.allocate(64);
      assertThat(leaked).isNotZero();
    }
    assertThat(cuda.books()).isEqualTo("1 objects were left in a sound context at its end\n");
  }

  @Test
  void aContextThatIsNotReleasedIsInTheBooks() {
    CudaDriver driver = open(1);
    assertThat(driver.handles().context()).isNotZero();
    assertThat(cuda.books()).isEqualTo("the context of device 1 is retained 1 times\n");
  }

  @Test
  void aCallWithoutAContextOnItsThreadIsInTheBooks() throws InterruptedException {
    try (CudaDriver driver = open(0)) {
      Thread.ofPlatform()
          .start(() ->
              assertThatThrownBy(() -> driver.allocate(64))
                  .hasMessageContaining("CUDA_ERROR_INVALID_CONTEXT (201)"))
          .join();
    }
    assertThat(cuda.books()).contains("cuMemAlloc_v2: no context is current on this thread");
  }

  @Test
  void objectsOfOneContextAreNotThoseOfAnother() {
    try (CudaDriver one = open(0);
        CudaDriver other = open(1)) {
      one.bind();
      long stream = one.openStream(Priority.NORMAL);
      other.bind();
      assertThatThrownBy(() -> other.synchronise(stream))
          .hasMessageContaining("CUDA_ERROR_INVALID_HANDLE (400)");
      one.bind();
      one.closeStream(stream);
    }
    assertThat(cuda.books()).isEqualTo("cuStreamSynchronize: it belongs to another context\n");
  }

  @Test
  void faultsComeAtTheCallThatWasNamed() {
    cuda.fail("cuMemAlloc_v2:2:2");
    try (CudaDriver driver = open(0)) {
      driver.bind();
      List<Long> memory = List.of(driver.allocate(8));
      assertThatThrownBy(() -> driver.allocate(8)).isInstanceOf(ComputeException.OutOfMemory.class);
      driver.free(driver.allocate(8));
      memory.forEach(driver::free);
    }
    cuda.requireCleanBooks();
  }
}
