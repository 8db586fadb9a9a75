package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.device.Fault;
import org.junit.jupiter.api.Test;

class ClCodesTest {
  private static Fault fault(DriverCodes codes, int code) {
    return codes.failure("a call", code).fault();
  }

  @Test
  void noResourcesAreNoMemoryOnlyWhereMemoryWasAskedFor() {
    assertThat(ClCodes.ALLOCATIONS.failure("clCreateBuffer", ClCodes.OUT_OF_RESOURCES))
        .isInstanceOf(ComputeException.OutOfMemory.class);
    assertThat(fault(ClCodes.CALLS, ClCodes.OUT_OF_RESOURCES)).isEqualTo(Fault.DEVICE);
    assertThat(fault(ClCodes.ENDS, ClCodes.OUT_OF_RESOURCES)).isEqualTo(Fault.CONTEXT);
  }

  @Test
  void memoryThatCouldNotBeHadIsNoMemoryWhereverItIsTold() {
    for (DriverCodes codes : new DriverCodes[] {ClCodes.ALLOCATIONS, ClCodes.CALLS, ClCodes.ENDS}) {
      assertThat(fault(codes, -4)).isEqualTo(Fault.OUT_OF_MEMORY);
      assertThat(fault(codes, -6)).isEqualTo(Fault.OUT_OF_MEMORY);
    }
  }
}
