package dev.fairlead.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.Parameter.Form;
import dev.fairlead.compute.driver.Parameter.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PtxTest {
  @Test
  void theParametersOfEachEntryAreRead() {
    Ptx ptx = Ptx.of(TestingCuda.kernels());

    assertThat(ptx.entries().keySet())
        .containsExactlyInAnyOrder("add", "scale", "blur", "wild", "hang");
    assertThat(ptx.entries().get("scale"))
        .containsExactly(
            new Parameter(Kind.BUFFER_OR_VALUE, Form.INTEGER, 8, ".u64 items"),
            new Parameter(Kind.VALUE, Form.FLOATING, 4, ".f32 factor"),
            new Parameter(Kind.VALUE, Form.INTEGER, 4, ".u32 count"));
    assertThat(ptx.entries().get("wild")).isEmpty();
  }

  @Test
  void structuresPointersAndCommentsAreUnderstood() {
    Ptx ptx =
        Ptx.of(
            """
            .version 6.3 // .entry none(.param .u32 a)
            .visible .entry _Z4stepPf5Statedd(
              .param .u64 .ptr .global .align 4 _Z4step_param_0, /* the first, the
              second */ .param .align 8 .b8 _Z4step_param_1[24],
              .param .f64 _Z4step_param_2, .param .b64 _Z4step_param_3
            )
            .entry bare { ret; }
            """);

    assertThat(ptx.entries()).containsOnlyKeys("_Z4stepPf5Statedd", "bare");
    assertThat(ptx.entries().get("_Z4stepPf5Statedd"))
        .extracting(Parameter::kind, Parameter::form, Parameter::bytes)
        .containsExactly(
            tuple(Kind.BUFFER, Form.INTEGER, 8),
            tuple(Kind.VALUE, Form.ANY, 24),
            tuple(Kind.VALUE, Form.FLOATING, 8),
            tuple(Kind.BUFFER_OR_VALUE, Form.ANY, 8));
    assertThat(ptx.entries().get("bare")).isEqualTo(List.of());
  }

  @Test
  void anEntryThatIsNotUnderstoodIsLeftToTheDriver() {
    assertThat(Ptx.of(".entry odd(.param .pred p)").entries()).isEmpty();
  }
}
