package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.OpenApi;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Routes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether the check of answers finds what is wrong with them. */
class TestingContractTest {
  record Thing(String name) {}

  private final TestingContract contract =
      new TestingContract(
          OpenApi.of(
                  new Routes(
                      List.of(
                          Route.get(
                              "/v1/things/{id}",
                              Role.READ,
                              "A thing",
                              Thing.class,
                              _ -> Answer.none()))),
                  "test")
              .toString());

  private void check(String path, int status, String type, String body) {
    contract.check(new TestingContract.Answered("GET", path, status, type, body));
  }

  @Test
  void takesAnswersAsTheyAreDescribed() {
    assertThatCode(
            () -> {
              check("/v1/things/a", 200, "application/json", "{\"name\":\"a\"}");
              check(
                  "/v1/things/a",
                  404,
                  "application/problem+json",
                  "{\"status\":404,\"title\":\"x\",\"detail\":\"y\",\"errors\":[]}");
            })
        .doesNotThrowAnyException();
  }

  @Test
  void refusesOtherFieldsTypesAndStatuses() {
    for (String body : List.of("{}", "{\"name\":1}", "{\"name\":\"a\",\"more\":1}", "{", "")) {
      assertThatThrownBy(() -> check("/v1/things/a", 200, "application/json", body))
          .as(body)
          .isInstanceOf(AssertionError.class);
    }
    String good = "{\"name\":\"a\"}";
    assertThatThrownBy(() -> check("/v1/things/a", 200, "text/plain", good))
        .hasMessageContaining("the types");
    assertThatThrownBy(() -> check("/v1/things/a", 409, "application/json", good))
        .hasMessageContaining("no such status");
    assertThatThrownBy(() -> check("/v1/others", 200, "application/json", good))
        .hasMessageContaining("no such route");
    assertThatThrownBy(() ->
            check(
                "/v1/things/a",
                404,
                "application/problem+json",
                "{\"status\":400,\"title\":\"x\",\"detail\":\"y\",\"errors\":[]}"))
        .hasMessageContaining("another status");
  }
}
