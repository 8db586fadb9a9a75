package dev.fairlead.service.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8080, http://127.0.0.1:8080/v1/jobs",
    "films.example:80, http://films.example:80/v1/jobs",
    "[::1]:8080, http://[::1]:8080/v1/jobs",
    "http://films.example, http://films.example/v1/jobs",
    "https://films.example/fairlead/, https://films.example/fairlead/v1/jobs"
  })
  void takesHostsAndUrls(String text, String route) {
    assertThat(ServiceAddress.parse(text).of("/v1/jobs")).hasToString(route);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host",
        "8080",
        "ftp://host:1",
        "http://",
        "http://a b",
        "host:x",
        "http://me:secret@host",
        "http://host?x"
      })
  void refusesWhatIsNone(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ServiceAddress.parse(text));
  }
}
