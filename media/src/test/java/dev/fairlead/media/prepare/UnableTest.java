package dev.fairlead.media.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Profile;
import dev.fairlead.media.job.TranscodeException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnableTest {
  private static final Device CARD = Device.of(DeviceKind.CUDA, 0);
  private static final Device OTHER = Device.of(DeviceKind.CUDA, 1);

  private static Profile.Proven without(String codec, int depth) {
    return new Profile.Proven(
        new Profile.Key("0000:3b:00.0", "nvidia 610.10", "8.1.2"),
        OptionalInt.empty(),
        OptionalInt.empty(),
        false,
        List.of(
            new Profile.Codec(codec, depth, false, "it has no encoder"),
            new Profile.Codec("h264", 8, true, "")));
  }

  @Test
  void whatWasProvenImpossibleIsNotTriedAndTheReasonIsSaid() {
    Unable unable = new Unable(Map.of(CARD.id(), without("av1", 10)));

    assertThat(unable.reason(CARD, "720p", "av1", 10))
        .contains("cuda:0 is unable by its profile: it has no encoder");
    assertThat(unable.reason(CARD, "720p", "av1", 8)).isEmpty();
    assertThat(unable.reason(CARD, "720p", "h264", 8)).as("proven, and tried").isEmpty();
    assertThat(unable.reason(OTHER, "720p", "av1", 10)).isEmpty();
  }

  @Test
  void whatHasFailedARungIsNotTriedForItAgain() {
    Unable unable = new Unable(Map.of());
    unable.add(
        new RungLost(
            "720p", Set.of(CARD.id()), new TranscodeException.NoCapableDevice("none is left")));

    assertThat(unable.reason(CARD, "720p", "av1", 8)).contains("cuda:0 has failed it");
    assertThat(unable.reason(CARD, "360p", "av1", 8)).isEmpty();
  }
}
