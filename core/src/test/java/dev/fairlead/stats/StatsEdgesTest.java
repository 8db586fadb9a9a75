package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsEdgesTest {
  @TempDir Path directory;

  @Test
  void costModelCanReadWhatItWrote() {
    CostModel model = new CostModel();
    for (int i = 0; i < 3; i++) model.record(DeviceId.of("a"), "x\ty", 1, 1);
    model.write(directory.resolve("f"));
    assertThat(CostModel.read(directory.resolve("f")).seconds(DeviceId.of("a"), "x\ty", 1))
        .isEqualTo(1);
  }

  @Test
  void costModelIgnoresInfinity() {
    CostModel model = new CostModel();
    for (int i = 0; i < 3; i++) model.record(DeviceId.of("a"), "x", 1, 1);
    model.record(DeviceId.of("a"), "x", Double.POSITIVE_INFINITY, 1);
    model.record(DeviceId.of("a"), "x", 1, 1);
    assertThat(model.seconds(DeviceId.of("a"), "x", 1)).isEqualTo(1);
  }

  @Test
  void percentileAboveOne() {
    Latencies l = new Latencies();
    l.add(100);
    assertThat(l.percentile(95).toNanos()).isNotZero();
  }
}
