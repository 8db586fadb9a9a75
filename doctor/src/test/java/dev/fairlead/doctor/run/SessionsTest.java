package dev.fairlead.doctor.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.doctor.TestingMachine;
import dev.fairlead.doctor.check.Finding;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is learned of cards: slots, limits, codecs that are not there, and when it is left alone.
 */
class SessionsTest {
  @TempDir private Path directory;

  @AfterEach
  void clear() throws IOException {
    TestingMachine.clear();
  }

  private TestingMachine machine() throws IOException {
    return TestingMachine.nvidia(directory.resolve("machine"), 2, "610.10");
  }

  @Test
  void theNumberOfSessionsIsThatAtWhichOneIsRefused() throws Exception {
    TestingMachine limited =
        machine().with("NVIDIA_DOUBLE_SESSIONS", "3").with("NVIDIA_DOUBLE_SPEED", "*=4");

    Finding alone = TestingChecks.run(limited, "cuda:0", "sessions");
    Finding together = TestingChecks.run(limited, Planned.ALL, "sessions.all");

    assertThat(alone.result()).as("%s", alone).isEqualTo(Finding.Result.PASS);
    assertThat(alone.facts()).containsEntry("sessions", "3").containsKey("encodeSlots");
    assertThat(together.facts()).containsEntry("hostSessions", "3");
  }

  @Test
  void aCodecThatACardHasNotIsNoFaultAndIsKept() throws Exception {
    Finding none = TestingChecks.run(machine(), "cuda:0", "encode.nvenc-av1.8bit.360p");

    assertThat(none.result()).as("%s", none).isEqualTo(Finding.Result.SKIP);
    assertThat(none.facts()).containsEntry("codec", "av1").containsKey("impossible");
  }

  @Test
  void whatDisturbsIsLeftOutWhereItWasNotAskedForAndWhereOthersWork() throws Exception {
    TestingMachine busy = machine().with("FAIRLEAD_DOUBLE_ORDERS", "others:0:1");

    assertThat(
            TestingChecks.run(
                machine2(), "cuda:0", "astray", new Options(false, false, TestingChecks.LITTLE)))
        .extracting(Finding::result, Finding::detail)
        .containsExactly(Finding.Result.SKIP, "others may notice it; --thorough runs it");
    assertThat(TestingChecks.run(busy, "cuda:0", "astray"))
        .extracting(Finding::result, Finding::detail)
        .containsExactly(
            Finding.Result.SKIP, "1 others use cuda:0; --even-if-busy runs it all the same");
    assertThat(
            TestingChecks.run(
                    busy, "cuda:0", "astray", new Options(true, true, TestingChecks.LITTLE))
                .result())
        .isEqualTo(Finding.Result.PASS);
  }

  private TestingMachine machine2() throws IOException {
    return TestingMachine.nvidia(directory.resolve("other"), 2, "610.10");
  }

  @Test
  void aResetThatDoesNotHelpIsToldOfAndIsNoFailure() throws Exception {
    Finding kept =
        TestingChecks.run(
            machine().with("FAIRLEAD_DOUBLE_ORDERS", "keep-errors:0"), "cuda:0", "astray");

    assertThat(kept.result()).as("%s", kept).isEqualTo(Finding.Result.PASS);
    assertThat(kept.detail())
        .contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)")
        .contains("the same process cannot go on")
        .contains("on cuda:1 it computes")
        .contains("another process computes");
  }
}
