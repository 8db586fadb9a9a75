package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.doctor.check.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorTextTest {
  @Test
  void findingsFitIntoEightyColumnsWithTheirRemedies() {
    Finding failed =
        Finding.fail(
                "/dev/dri/renderD128 may not be read and written by this user, as it seems",
                "Add yourself to its group and log in again: usermod -aG render $USER")
            .of("nodes.dri", "");

    assertThat(DoctorText.finding(failed))
        .isEqualTo(
            """
              FAIL  nodes.dri                    /dev/dri/renderD128 may not be read and
                                                 written by this user, as it seems
                                                 → Add yourself to its group and log in
                                                   again: usermod -aG render $USER
            """);
  }

  @Test
  void aLongNameHasALineOfItsOwn() {
    Finding passed = Finding.pass("all is well").of("encode.of-a-very-long-name.10bit.2160p", "");

    assertThat(DoctorText.finding(passed).lines())
        .containsExactly(
            "  ok    encode.of-a-very-long-name.10bit.2160p", " ".repeat(37) + "all is well");
  }

  @Test
  void whatWasSkippedIsToldByTheReason() {
    assertThat(
            DoctorText.skipped(
                    List.of(
                        Finding.skip("there is no card").of("a", ""),
                        Finding.pass("").of("b", ""),
                        Finding.skip("nothing to do").of("c", ""),
                        Finding.skip("there is no card").of("d", "")))
                .lines())
        .containsExactly("  –     a, d: there is no card", "  –     c: nothing to do");
  }
}
