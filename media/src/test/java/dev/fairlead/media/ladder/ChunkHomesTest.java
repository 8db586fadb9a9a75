package dev.fairlead.media.ladder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Profile;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.wire.Report;
import dev.fairlead.units.UnitInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What it takes to bring the pictures of a chunk to a device. */
class ChunkHomesTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final Device HOME = card(0);
  private static final Device OTHER = card(1);
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);
  private static final long BYTES = 6_000_000_000L;

  private static Device card(int ordinal) {
    String id = "GPU-" + ordinal;
    return Device.of(DeviceKind.CUDA, ordinal).withIdentity(DeviceId.of(id), id, Vendor.NVIDIA);
  }

  private static Optional<Report.OnCard> on(int ordinal) {
    HardwareAddress card = new HardwareAddress(HardwareAddress.CUDA, String.valueOf(ordinal));
    return Optional.of(new Report.OnCard(card, BYTES));
  }

  private static Profile.Proven copying(double up, double down) {
    return new Profile.Proven(
        new Profile.Key("0000:3b:00.0", "driver", "codecs"),
        OptionalInt.empty(),
        OptionalInt.empty(),
        true,
        List.of(),
        Optional.of(new Profile.Copies(up, down)),
        List.of());
  }

  @Test
  void copiesTakeAsLongAsTheProfileSaysOfEachCard() {
    ChunkHomes homes =
        new ChunkHomes(
            List.of(HOME), Map.of(HOME.id(), copying(1, 12), OTHER.id(), copying(24, 1)));

    UnitInput pictures = homes.begun(0, on(0));

    assertThat(pictures.secondsTo(HOME)).isZero();
    assertThat(pictures.secondsTo(LANE)).isEqualTo(0.5, EXACT);
    assertThat(pictures.secondsTo(OTHER)).as("down and up").isEqualTo(0.75, EXACT);
    pictures.takenBy(LANE);
    assertThat(pictures.secondsTo(OTHER)).as("they are on the host").isEqualTo(0.25, EXACT);
  }

  @Test
  void withoutAProfileASpeedIsGuessed() {
    Profile.Proven unmeasured =
        Profile.Proven.of(new Profile.Key("0000:3b:00.0", "driver", "codecs"));
    ChunkHomes homes = new ChunkHomes(List.of(HOME), Map.of(HOME.id(), unmeasured));

    UnitInput pictures = homes.begun(0, on(0));

    assertThat(pictures.secondsTo(LANE)).isEqualTo(1, EXACT);
    assertThat(pictures.secondsTo(OTHER)).isEqualTo(2, EXACT);
  }

  @Test
  void everyChunkIsNearTheCardThatHasDecodedItAndMayBeginAnewElsewhere() {
    ChunkHomes homes = new ChunkHomes(List.of(HOME, OTHER), Map.of());

    UnitInput one = homes.begun(0, on(0));
    UnitInput another = homes.begun(1, on(1));

    assertThat(one.secondsTo(HOME)).isZero();
    assertThat(one.secondsTo(OTHER)).isEqualTo(2, EXACT);
    assertThat(another.secondsTo(OTHER)).isZero();
    assertThat(another.secondsTo(HOME)).isEqualTo(2, EXACT);
    UnitInput again = homes.begun(0, Optional.empty());
    assertThat(again.secondsTo(HOME)).as("it is on the host now").isZero();
    assertThat(again.secondsTo(OTHER)).isZero();
  }
}
