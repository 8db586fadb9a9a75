package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Capability;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is asked and what is there, in words for people. */
class WordsTest {
  private static final Device DEVICE = Device.of(DeviceKind.CUDA, 0).withMemory(8L << 30);

  @Test
  void eligibilityIsAListOfItsHints() {
    assertThat(Eligibility.any()).hasToString("any device");
    assertThat(
            Eligibility.any()
                .withAllowed(Set.of(DeviceId.of("b"), DeviceId.of("a")))
                .withExcluded(Set.of(DeviceId.of("d"), DeviceId.of("c")))
                .withVendor(Vendor.NVIDIA)
                .withCapability(ComputeCapability.of(8, 0))
                .withCapabilities(Set.of(Capability.of("encode:av1"), Capability.COMPUTE))
                .withMinimumFreeBytes(3L << 29))
        .hasToString(
            "only on a, b; except c, d; of vendor nvidia; compute capability 8.0 or more; can do"
                + " compute, encode:av1; 1.5 GiB free");
  }

  @Test
  void aDemandSaysItsHintsAndUnits() {
    Demand demand =
        Demand.of("encode", 2.5)
            .withMemory(3L << 29)
            .onlyOn(DeviceId.of("GPU-5f0c"))
            .except(DeviceId.of("GPU-ffff"));

    assertThat(demand)
        .hasToString(
            "1 slot, 1.5 GiB for encode of size 2.5 (only on GPU-5f0c; except GPU-ffff), priority"
                + " normal");
    assertThat(Demand.of("encode", 3)).hasToString("1 slot for encode of size 3, priority normal");
    assertThat(Demand.of("encode", 1e300).toString()).contains("of size 1.0E300");
  }

  @Test
  void anObjectionComparesInUnitsAsLongAsTheyTellApart() {
    assertThat(Eligibility.any().withMinimumFreeBytes(16L << 30).objection(DEVICE))
        .hasValue("has 8 GiB of memory in all, 16 GiB must be free");
    assertThat(Eligibility.any().withMinimumFreeBytes((8L << 30) + 1).objection(DEVICE))
        .hasValue("has 8589934592 bytes of memory in all, 8589934593 bytes must be free");
  }

  @Test
  void aLoadIsASentence() {
    ComputeCapability capability = ComputeCapability.of(8, 6);
    assertThat(new Load(3L << 29, 8L << 30, 1, 2, capability, Duration.ofMillis(250), 7))
        .hasToString(
            "1.5 GiB of 8 GiB free, 1 item there, 2 streams of others, compute capability 8.6,"
                + " polled 250 ms ago");
    assertThat(new Load(0, 0, 2, 1, null, Duration.ZERO, 0))
        .hasToString("0 bytes of 0 bytes free, 2 items there, 1 stream of others, never polled");
  }

  @Test
  void anExplanationHoldsNoRecordDumps() {
    Demand demand = Demand.any().withMemory(16L << 30).ofVendor(Vendor.AMD);
    Explanation explanation =
        new Explanation(
            demand,
            "least-loaded",
            new Placement.Reject<>("nobody can"),
            List.of(
                new Explanation.Verdict(
                    0,
                    DEVICE,
                    Explanation.Finding.INELIGIBLE,
                    demand.eligibility().objection(DEVICE).orElseThrow())));

    assertThat(explanation.toString().lines())
        .containsExactly(
            "least-loaded for 1 slot, 16 GiB (of vendor amd), priority normal: reject, nobody can",
            "  cuda:0     ineligible is of vendor other, not amd");
  }
}
