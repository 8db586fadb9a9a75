package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.driver.Grid;
import org.junit.jupiter.api.Test;

/** How a grid whose groups are left to the driver is cut into blocks. */
class CudaGridTest {
  private static final int MOST = 1024;

  private static CudaGrid cut(long x, long y) {
    CudaGrid cut = CudaGrid.of(Grid.of(x, y), () -> MOST);
    assertThat((long) cut.x() * cut.threadsX()).as("as many items as were asked for").isEqualTo(x);
    assertThat((long) cut.y() * cut.threadsY()).as("as many items as were asked for").isEqualTo(y);
    return cut;
  }

  private static int threads(CudaGrid cut) {
    return cut.threadsX() * cut.threadsY() * cut.threadsZ();
  }

  @Test
  void aUsualWidthIsCutIntoBlocksOfTheUsualSize() {
    assertThat(threads(cut(1 << 20, 1))).isEqualTo(256);
    assertThat(cut(1920, 1080)).extracting(CudaGrid::threadsX).isEqualTo(240);
  }

  @Test
  void aSmallPrimeIsOneBlock() {
    assertThat(threads(cut(997, 1))).isEqualTo(997);
    assertThat(threads(cut(31, 1))).isEqualTo(31);
  }

  @Test
  void aPrimeWidthTakesItsThreadsFromTheHeight() {
    assertThat(threads(cut(1931, 1080))).isEqualTo(216);
    assertThat(threads(cut(2 * 1931, 1080))).isEqualTo(240);
  }

  @Test
  void noMoreThreadsThanTheKernelCanHaveAreInABlock() {
    assertThat(threads(CudaGrid.of(Grid.of(997, 64), () -> 128))).isLessThanOrEqualTo(128);
    assertThat(threads(CudaGrid.of(Grid.of(1931, 1080), () -> 1))).isEqualTo(1);
  }

  @Test
  void aLargePrimeAloneHasNoOtherBlocksThanOfOneThread() {
    assertThat(threads(cut(1_000_003, 1))).isEqualTo(1);
    assertThat(threads(CudaGrid.of(Grid.covering(1_000_003, 256), () -> MOST))).isEqualTo(256);
  }
}
