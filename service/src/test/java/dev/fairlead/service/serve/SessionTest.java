package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.service.access.Token;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.http.Role;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page that shows its token once, through a real client. */
class SessionTest {
  @TempDir Path directory;
  private TestingService service;
  private String secret;

  @BeforeEach
  void open() throws IOException {
    service = TestingService.open(directory);
    secret =
        Tokens.below(directory.resolve("data"))
            .add(Token.issue("page", Role.ADMIN, Optional.of("films")));
  }

  @AfterEach
  void close() {
    service.close();
    assertThat(service.mishaps).isEmpty();
  }

  private HttpRequest.Builder opening(String token) {
    return service
        .request("/v1/session")
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"" + token + "\"}"));
  }

  private static String cookie(HttpResponse<?> answer) {
    return answer.headers().firstValue("Set-Cookie").orElseThrow();
  }

  private int devices(String cookie) throws Exception {
    HttpRequest asked = service.request("/v1/devices").header("Cookie", cookie).build();
    return service.send(asked).statusCode();
  }

  private static String pair(String cookie) {
    return cookie.substring(0, cookie.indexOf(';'));
  }

  @Test
  void aCookieStandsForTheTokenUntilTheSessionIsClosed() throws Exception {
    assertThat(service.send(service.request("/v1/devices").build()).statusCode()).isEqualTo(401);
    HttpResponse<String> opened = service.send(opening(secret).build());
    assertThat(opened.statusCode()).isEqualTo(200);
    assertThat(opened.body())
        .isEqualTo("{\"name\":\"page\",\"role\":\"admin\",\"tenant\":\"films\"}");
    String cookie = pair(cookie(opened));
    assertThat(cookie).startsWith("fairlead=").doesNotContain(secret);
    assertThat(devices(cookie)).isEqualTo(200);
    assertThat(devices(cookie + "x")).isEqualTo(401);

    HttpRequest closing = service.request("/v1/session").header("Cookie", cookie).DELETE().build();
    HttpResponse<String> closed = service.send(closing);
    assertThat(closed.statusCode()).isEqualTo(204);
    assertThat(cookie(closed)).startsWith("fairlead=; ").contains("Max-Age=0");
    assertThat(devices(cookie)).isEqualTo(401);
    assertThat(service.send(closing).statusCode()).isEqualTo(204);
  }

  @Test
  void theCookieIsNotForScriptsNorForOtherSitesAndNeedsTlsBeyondThisMachine() throws Exception {
    String here = cookie(service.send(opening(secret).build()));
    assertThat(here).contains("; HttpOnly", "; SameSite=Strict", "; Path=/").doesNotContain("Sec");
    HttpRequest passedOn = opening(secret).header("X-Forwarded-For", "192.0.2.1").build();
    assertThat(cookie(service.send(passedOn))).endsWith("; Secure");
  }

  @Test
  void anotherOriginMayChangeNothingWithTheCookie() throws Exception {
    String cookie = pair(cookie(service.send(opening(secret).build())));
    HttpRequest.Builder drain =
        service
            .request("/v1/devices/cpu:0/drain")
            .header("Cookie", cookie)
            .POST(HttpRequest.BodyPublishers.noBody());
    assertThat(service.send(drain.copy().header("Origin", "http://evil.example").build()))
        .returns(403, HttpResponse::statusCode);
    assertThat(service.send(drain.copy().header("Sec-Fetch-Site", "cross-site").build()))
        .returns(403, HttpResponse::statusCode);
    assertThat(service.send(opening(secret).header("Origin", "null").build()))
        .returns(403, HttpResponse::statusCode);
    String own = service.uri("").toString();
    assertThat(service.send(drain.copy().header("Origin", own).build()))
        .returns(200, HttpResponse::statusCode);
  }

  @Test
  void aTokenThatIsNotKnownOpensNothing() throws Exception {
    HttpResponse<String> wrong = service.send(opening("x").build());
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
    HttpResponse<String> none = service.post("/v1/session", "{}");
    assertThat(none.statusCode()).isEqualTo(422);
    assertThat(none.body()).contains("/token");
  }
}
