package dev.fairlead.media.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.supervise.Codecs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecChoiceTest {
  private static final Optional<Codecs> OLDER = Optional.of(new Codecs("older.jar", true));

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"610", "610.43.02", "1000.1", "", "unknown", "99999999999"})
  void aDriverThatIsNewOrNotKnownGetsTheUsualOne(String driver) {
    assertThat(CodecChoice.of(driver, OLDER)).isEqualTo(new CodecChoice(Codecs.usual(), ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"570.26", "575.51.03", "609.99"})
  void anOlderDriverGetsTheOlderOneAndItIsSaidWhatThatCosts(String driver) {
    CodecChoice choice = CodecChoice.of(driver, OLDER);
    assertThat(choice.codecs().isOlder()).isTrue();
    assertThat(choice.notice())
        .isEqualTo(
            "NVIDIA's driver %s is older than 610, which FFmpeg 8.1 asks for: FFmpeg 8.0 works instead, with one SVT-AV1 encoder at a time"
                .formatted(driver));
  }

  @Test
  void whatIsMissingIsNamed() {
    CodecChoice choice = CodecChoice.of("575.51.03", Optional.empty());
    assertThat(choice.codecs()).isEqualTo(Codecs.usual());
    assertThat(choice.notice()).contains("unless -Dfairlead.ffmpeg.older names a folder");
    assertThat(CodecChoice.of("535.104.05", OLDER).notice())
        .isEqualTo(
            "NVIDIA's driver 535.104.05 is too old for any FFmpeg here: cards encode with 570 or newer");
  }

  @Test
  void onlyCardsOfNvidiaMatterAndTheirDriverIsRead() throws Exception {
    assertThat(CodecChoice.of(List.of(Device.of(DeviceKind.CPU, 0))).notice()).isEmpty();
    assertThat(NvidiaDriver.version(directory)).isEmpty();
    Path version = directory.resolve("sys/module/nvidia/version");
    Files.createDirectories(version.getParent());
    Files.writeString(version, "575.51.03\n");
    assertThat(NvidiaDriver.version(directory)).contains("575.51.03");
  }
}
