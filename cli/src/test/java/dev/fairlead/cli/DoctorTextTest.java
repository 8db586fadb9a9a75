package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.run.Checkup;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
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

  @Test
  void sizesOfOneEncoderThatWereSkippedAreToldAsOne() {
    List<Finding> skipped =
        Stream.of("encode.x.8bit.360p", "encode.x.8bit.1080p", "encode.y.8bit.360p", "ladder")
            .map(id -> Finding.skip("not there").of(id, ""))
            .toList();

    assertThat(DoctorText.skipped(skipped).lines())
        .containsExactly("  –     encode.x.*, encode.y.8bit.360p, ladder: not there");
  }

  @Test
  void theSummarySaysWhatCardsEncodeAndWhatNot() {
    Profile.Proven card =
        new Profile.Proven(
            new Profile.Key("0000:3b:00.0", "nvidia 610.10", "8.1"),
            OptionalInt.of(3),
            OptionalInt.of(8),
            false,
            List.of(
                new Profile.Codec("av1", 8, false, "it has none"),
                new Profile.Codec("hevc", 8, true, ""),
                new Profile.Codec("hevc", 10, true, "")));
    Profile profile = new Profile(List.of(card), List.of(), OptionalInt.of(12));

    assertThat(DoctorText.summary(new Checkup(List.of(), List.of(), profile)).lines())
        .containsSubsequence(
            "Proven of 0000:3b:00.0: hevc of 8 and 10 bits; does not encode av1 of 8 bits; 3",
            "  encode slots; at most 8 sessions",
            "All cards together have at most 12 encoder sessions.");
  }
}
