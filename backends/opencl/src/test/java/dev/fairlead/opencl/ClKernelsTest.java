package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.Parameter.Form;
import dev.fairlead.compute.driver.Parameter.Kind;
import org.junit.jupiter.api.Test;

class ClKernelsTest {
  private static final int PRIVATE = 0x119E;

  private static Parameter value(String type) {
    return ClKernels.parameter(PRIVATE, type);
  }

  @Test
  void valuesHaveTheSizeOfTheirType() {
    assertThat(value("uint")).isEqualTo(new Parameter(Kind.VALUE, Form.INTEGER, 4, "uint"));
    assertThat(value("long")).isEqualTo(new Parameter(Kind.VALUE, Form.INTEGER, 8, "long"));
    assertThat(value("double")).isEqualTo(new Parameter(Kind.VALUE, Form.FLOATING, 8, "double"));
    assertThat(value("uchar4")).isEqualTo(new Parameter(Kind.VALUE, Form.ANY, 4, "uchar4"));
    assertThat(value("float3")).isEqualTo(new Parameter(Kind.VALUE, Form.ANY, 16, "float3"));
    assertThat(value("struct camera"))
        .isEqualTo(new Parameter(Kind.VALUE, Form.ANY, 0, "struct camera"));
  }

  @Test
  void theAddressSpaceTellsBuffersFromLocalMemory() {
    assertThat(ClKernels.parameter(0x119B, "int*").kind()).isEqualTo(Kind.BUFFER);
    assertThat(ClKernels.parameter(0x119D, "int*").kind()).isEqualTo(Kind.BUFFER);
    assertThat(ClKernels.parameter(0x119C, "int*").kind()).isEqualTo(Kind.LOCAL);
  }
}
