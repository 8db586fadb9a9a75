package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.benchmarks.ServiceBench;
import org.junit.jupiter.api.Test;

class BenchServiceCommandTest {
  private static ServiceBench.Figures figures(long lost, double busy, double growth) {
    return new ServiceBench.Figures(1_000, 200, 0, lost, 5_000, 4, busy, 50, 20, growth);
  }

  @Test
  void figuresAreOneObjectWithTheirLimit() {
    assertThat(BenchServiceCommand.json(figures(0, 30, 1.05)))
        .isEqualTo(
            "{\"jobs\":1000,\"sseClients\":200,\"failed\":0,\"eventsLost\":0,\"events\":5000,"
                + "\"p99IdleMillis\":4.00,\"p99BusyMillis\":30.00,\"limitMillis\":100.00,"
                + "\"stoppedClients\":50,\"p99StoppedMillis\":20.00,\"heapGrowth\":1.050}");
    assertThat(new ServiceBench.Figures(1, 1, 0, 0, 1, 30, 1, 1, 1, 1).limitMillis())
        .isEqualTo(300);
  }

  @Test
  void whatIsBeyondItsGoalIsSaid() {
    assertThat(BenchServiceCommand.table(figures(0, 30, 1.05))).doesNotContain("more than");
    assertThat(BenchServiceCommand.table(figures(0, 130, 1.05))).contains("more than 100");
    assertThat(BenchServiceCommand.table(figures(0, 30, 1.5))).contains("more than 1.2");
    assertThat(figures(0, 30, 1).wrong()).isEmpty();
    assertThat(figures(2, 30, 1).wrong()).contains("2 events were lost");
  }
}
