package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.FairShares;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostRecordsTest {
  @TempDir private Path directory;

  private long now;

  private static FairShares shares(double floor) {
    return new FairShares(floor, List.of());
  }

  @Test
  void whatTenantsHaveHadIsKeptOnceAMinuteAndAtTheEnd() {
    HostRecords records = HostRecords.open(directory, () -> now);
    records.keepNowAndThen(() -> shares(1));
    assertThat(records.shares()).isEqualTo(FairShares.NONE);
    now += HostRecords.KEEP_NANOS;
    records.keepNowAndThen(() -> shares(2));
    assertThat(records.shares()).isEqualTo(shares(2));
    now += HostRecords.KEEP_NANOS - 1;
    records.keepNowAndThen(() -> shares(3));
    assertThat(records.shares()).isEqualTo(shares(2));
    records.keep(shares(4));
    now += HostRecords.KEEP_NANOS - 1;
    records.keepNowAndThen(() -> shares(5));
    assertThat(records.shares()).isEqualTo(shares(4));
    records.close(shares(6));
    records.close(shares(7));

    HostRecords next = HostRecords.open(directory, () -> now);
    assertThat(next.shares()).isEqualTo(shares(6));
    next.close(shares(6));
  }
}
