package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.health.Health;
import dev.fairlead.service.device.DeviceView;
import dev.fairlead.service.device.Lanes;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What another module adds to a service. */
class AdditionTest {
  @TempDir Path directory;

  /** A node. */
  record NodeView(String name) {}

  /** A device of another machine. */
  private static final class OtherLanes implements Lanes {
    private volatile boolean drained;

    @Override
    public List<DeviceView> all() {
      return List.of(
          new DeviceView(
              "n2-cpu-0",
              "n2:cpu:0",
              "a processor",
              "cpu",
              Optional.of("n2"),
              Health.READY,
              1,
              0,
              0,
              0,
              0,
              0,
              drained));
    }

    @Override
    public void drain(String label) {
      drained = true;
    }

    @Override
    public void resume(String label) {
      drained = false;
    }
  }

  @Test
  void itsRoutesAreAnsweredAndDescribedAndItsDevicesShownAndDrained() throws Exception {
    Route nodes =
        Route.get(
            "/v1/nodes",
            Role.READ,
            "All nodes",
            NodeView.class,
            _ -> Answer.json(new NodeView("n2")));
    Addition addition = new Addition(List.of(nodes), List.of(new OtherLanes()));
    try (TestingService service = TestingService.openWith(directory, addition)) {
      assertThat(service.get("/v1/nodes").get("name").asString()).isEqualTo("n2");
      JsonNode described = service.get("/v1/openapi.json").at("/paths/~1v1~1nodes/get");
      assertThat(described.get("summary").asString()).isEqualTo("All nodes");

      service.post("/v1/devices/n2:cpu:0/drain", "");
      JsonNode devices = service.get("/v1/devices").get("devices");
      assertThat(devices.size()).isEqualTo(3);
      assertThat(devices.get(0).has("node")).isFalse();
      assertThat(devices.get(0).get("drained").asBoolean()).isFalse();
      assertThat(devices.get(2).get("node").asString()).isEqualTo("n2");
      assertThat(devices.get(2).get("drained").asBoolean()).isTrue();
      service.post("/v1/devices/n2:cpu:0/resume", "");
      assertThat(service.get("/v1/devices").at("/devices/2/drained").asBoolean()).isFalse();
      assertThat(service.mishaps).isEmpty();
    }
  }
}
