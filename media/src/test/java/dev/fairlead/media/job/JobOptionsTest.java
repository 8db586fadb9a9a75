package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobOptionsTest {
  @Test
  void theUsualOptionsAreMadeOfAPoolAloneAndEachIsChangedAlone() {
    try (DevicePool pool = DevicePool.of(List.of(Device.of(DeviceKind.CPU, 0)))) {
      JobOptions usual = JobOptions.usual(pool);
      assertThat(usual.fleet().service()).isEqualTo(ServicePolicies.anyRung());
      assertThat(usual.decoding().devices()).isEmpty();
      assertThat(usual.worker().confined()).isTrue();
      assertThat(usual.worker().patience()).isPositive();
      assertThat(usual.result().sink()).isEmpty();
      assertThat(usual.memoryBytes()).isPositive();

      ChaosPlan chaos = ChaosPlan.parse("throw@1");
      JobOptions other =
          usual
              .withService(ServicePolicies.helpers())
              .withPatience(Duration.ofSeconds(7))
              .withChaos(chaos)
              .withoutConfinement();
      assertThat(other.fleet().service()).isEqualTo(ServicePolicies.helpers());
      assertThat(other.worker())
          .isEqualTo(new JobOptions.WorkerRules(Duration.ofSeconds(7), false, chaos));
      assertThat(other.pool()).isSameAs(pool);
      assertThat(other.result()).isEqualTo(usual.result());
    }
  }

  @Test
  void aPatienceThatEndsNothingInTimeIsRefused() {
    try (DevicePool pool = DevicePool.of(List.of(Device.of(DeviceKind.CPU, 0)))) {
      assertThatThrownBy(() -> JobOptions.usual(pool).withPatience(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("patience");
    }
  }
}
