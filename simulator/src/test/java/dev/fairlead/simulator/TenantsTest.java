package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.policy.Tenant;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.rule.TenantTally;
import dev.fairlead.simulator.setting.Settings;
import dev.fairlead.simulator.workload.Tenancy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices that tenants share: the figures of docs/simulator.md, and what is refused. */
class TenantsTest {
  private static final String FLEET = "16xfast:4,16xmiddle:2,32xslow:1";
  private static final String TENANTS = "5xgold:4,5xsilver:2,10xplain:1";

  private static Scenario scenario(Map<String, String> fields) {
    Settings settings = new Settings();
    fields.forEach((name, value) -> settings.set(name, value, "--" + name));
    return settings.scenario();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any-rung", "helpers"})
  void aThousandJobsOfTwentyTenantsShareSixtyFourUnequalDevices(String policy) {
    Scenario scenario =
        scenario(Map.of("fleet", FLEET, "tenants", TENANTS, "jobs", "1000", "chunks", "8"));
    Figures figures = Simulation.run(scenario, policy);
    assertThat(figures.tenants()).hasSize(20);
    for (TenantTally.Share share : figures.tenants()) {
      assertThat(share.deviation()).as("deviation of %s", share).isBetween(-0.05, 0.05);
      assertThat(share.jobsDone()).as("jobs done of %s", share).isEqualTo(50);
      assertThat(share.longestWaitSeconds()).as("longest wait of %s", share).isLessThan(60);
    }
    assertThat(figures.lost()).isZero();
    assertThat(figures.makespanOverBound()).isLessThan(1.02);
  }

  @Test
  void sharesHoldWhileDevicesStopAndSlowDown() {
    Scenario scenario =
        scenario(
            Map.of(
                "fleet",
                "4xfast:4,4xslow:1",
                "tenants",
                "a:3,b:1",
                "jobs",
                "40",
                "mishap",
                "stop fast-1 at 30"));
    for (TenantTally.Share share : Simulation.run(scenario, "any-rung").tenants()) {
      assertThat(share.deviation()).as("deviation of %s", share).isBetween(-0.05, 0.05);
      assertThat(share.jobsDone()).isEqualTo(20);
    }
  }

  @Test
  void onlyServicePoliciesShare() {
    Scenario scenario = scenario(Map.of("fleet", FLEET, "tenants", "a:3,b:1"));
    assertThat(Simulation.policies(scenario)).containsExactly("any-rung", "helpers", "per-rung");
  }

  @Test
  void tenantsAreReadFromText() {
    assertThat(Tenancy.parse("a:3, 2xb:0.5"))
        .isEqualTo(List.of(new Tenant("a", 3), new Tenant("b-1", 0.5), new Tenant("b-2", 0.5)));
    for (String wrong : List.of("a", "a:0", "a:-1", "a:x", "a:1,a:2", "0xa:1", "", "99999xa:1")) {
      assertThatThrownBy(() -> Tenancy.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void mistakesNameTheirField() {
    assertThatThrownBy(() -> scenario(Map.of("fleet", FLEET, "jobs", "3")))
        .hasMessageContaining("--jobs");
    assertThatThrownBy(() -> scenario(Map.of("fleet", FLEET, "tenants", "a:1,b:1", "jobs", "1")))
        .hasMessageContaining("1 jobs are fewer than 2 tenants");
    assertThatThrownBy(
            () -> scenario(Map.of("fleet", FLEET, "tenants", "a:1", "workload", "poisson")))
        .hasMessageContaining("--tenants");
    assertThatThrownBy(() -> scenario(Map.of("fleet", FLEET, "tenants", "a:0")))
        .hasMessageContaining("--tenants")
        .hasMessageContaining("not a positive number");
  }
}
