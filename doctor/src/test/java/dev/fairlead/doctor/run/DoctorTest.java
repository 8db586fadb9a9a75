package dev.fairlead.doctor.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.TestingMachine;
import dev.fairlead.doctor.check.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it on a made-up machine. */
class DoctorTest {
  @TempDir private Path directory;

  @AfterEach
  void restore() throws IOException {
    TestingMachine.restore();
    TestingMachine.clear();
  }

  /** Notes what it is told. */
  private static final class Notes implements Doctor.Listener {
    private final List<String> begun = new ArrayList<>();

    @Override
    public void planned(List<Planned> plan) {}

    @Override
    public void began(Planned subject, String check) {
      begun.add(subject.subject() + " " + check);
    }

    @Override
    public void found(Planned subject, Finding finding) {}
  }

  @Test
  void aDriverThatCrashesIsAFindingAndTheRestIsLookedAt() throws Exception {
    TestingMachine machine =
        TestingMachine.nvidia(directory, 1, "610.10").with("FAIRLEAD_DOUBLE_ORDERS", "crash:0");
    machine.use();
    Notes notes = new Notes();

    Checkup checkup =
        new Doctor(new Options(false, false, TestingChecks.LITTLE), notes, machine.environment())
            .run(Profile.NONE);

    Finding kernel = found(checkup, "cuda:0", "kernel");
    assertThat(kernel.result()).isEqualTo(Finding.Result.FAIL);
    assertThat(kernel.detail()).contains("ended by signal 6");
    assertThat(found(checkup, "cuda:0", "copies").result()).isEqualTo(Finding.Result.PASS);
    assertThat(found(checkup, "", "cards").result()).isEqualTo(Finding.Result.PASS);
    assertThat(found(checkup, "cpu", "encode.open-h264.8bit.360p").result())
        .isEqualTo(Finding.Result.PASS);
    assertThat(checkup.isWell()).isFalse();
    assertThat(notes.begun).contains(" library.cuda", "cuda:0 kernel", "cuda:0 copies");
    assertProven(checkup.profile());
  }

  private static void assertProven(Profile profile) {
    assertThat(profile.cards()).hasSize(1);
    Profile.Proven card = profile.cards().getFirst();
    assertThat(card.key().pciAddress()).isEqualTo("0000:3b:00.0");
    assertThat(card.key().driver()).isEqualTo("nvidia 610.10");
    assertThat(card.deviceFrames()).isTrue();
    assertThat(card.impossible("h264", 8)).isEmpty();
    assertThat(card.impossible("av1", 8))
        .isEqualTo(Optional.of("the card has no encoder for av1 of 8 bits"));
    assertThat(card.codecs())
        .filteredOn(Profile.Codec::proven)
        .extracting(Profile.Codec::codec)
        .containsExactly("h264");
  }

  private static Finding found(Checkup checkup, String device, String id) {
    return checkup.findings().stream()
        .filter(each -> each.device().equals(device) && each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError(device + " " + id + ": " + checkup.findings()));
  }
}
