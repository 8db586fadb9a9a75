package dev.fairlead.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private static Route route(Route.Method method, String path) {
    return Route.of(method, path, Role.READ, path, Void.class, Void.class, _ -> Answer.none());
  }

  private final Routes routes =
      new Routes(
          List.of(
              route(Route.Method.GET, "/v1/jobs"),
              route(Route.Method.POST, "/v1/jobs"),
              route(Route.Method.GET, "/v1/jobs/{id}"),
              route(Route.Method.GET, "/v1/jobs/newest"),
              route(Route.Method.GET, "/v1/jobs/{id}/artifacts/{path...}")));

  @Test
  void findsARouteWithWhatStandsInItsPlaces() {
    Routes.Match match = routes.find("GET", "/v1/jobs/abc");
    assertThat(match.route().path()).isEqualTo("/v1/jobs/{id}");
    assertThat(match.parameters()).isEqualTo(Map.of("id", "abc"));
  }

  @Test
  void theLastPlaceMayTakeTheRest() {
    Routes.Match match = routes.find("GET", "/v1/jobs/abc/artifacts/720p/index.m3u8");
    assertThat(match.parameters()).isEqualTo(Map.of("id", "abc", "path", "720p/index.m3u8"));
  }

  @Test
  void theRouteWithFewerPlacesGoesFirst() {
    assertThat(routes.find("GET", "/v1/jobs/newest").route().path()).isEqualTo("/v1/jobs/newest");
  }

  @Test
  void headAsksAsGetDoes() {
    assertThat(routes.find("HEAD", "/v1/jobs").route().method()).isEqualTo(Route.Method.GET);
  }

  @Test
  void anotherMethodIsAnsweredWithThoseThatThereAre() {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> routes.find("DELETE", "/v1/jobs"))
        .satisfies(problem -> {
          assertThat(problem.details().status()).isEqualTo(405);
          assertThat(problem.headers()).containsEntry("Allow", "GET, HEAD, POST");
        });
  }

  @Test
  void whatIsNotThereIsNotFound() {
    for (String path :
        List.of("/", "", "/v1", "/v1/jobs/", "/v1/jobs/a/artifacts/", "/v1/jobs//x")) {
      assertThatExceptionOfType(Problem.class)
          .as(path)
          .isThrownBy(() -> routes.find("GET", path))
          .satisfies(problem -> assertThat(problem.details().status()).isEqualTo(404));
    }
  }

  @Test
  void twoRoutesOfOneShapeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new Routes(
                List.of(route(Route.Method.GET, "/a/{x}"), route(Route.Method.GET, "/a/{y}"))));
  }
}
