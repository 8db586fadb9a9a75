package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.media.json.JsonEvents;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The service as a process, and the command that makes its tokens. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServeCommandTest {
  @TempDir Path data;

  private Process start(String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path", ""),
                Main.class.getName(),
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--devices",
                "cpu:2",
                "--json",
                "--data",
                data.toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static JsonNode firstLine(Process process) throws IOException {
    BufferedReader lines = process.inputReader();
    return JsonEvents.JSON.readTree(lines.readLine());
  }

  private static int status(String url, String token) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void saysWhereItListensAndEndsWithZeroWhenItIsAskedTo() throws Exception {
    Process process = start();
    try {
      JsonNode first = firstLine(process);
      assertThat(first.get("event").asString()).isEqualTo("listening");
      assertThat(first.get("devices").toString()).isEqualTo("[\"cpu:0\",\"cpu:1\"]");
      String url = first.get("url").asString();
      assertThat(status(url + "/v1/devices", "")).isEqualTo(200);

      TestingCommand added =
          TestingCommand.run("token", "add", "anna", "--role", "read", "--data", data);
      assertThat(added.code()).as(added.err()).isZero();
      assertThat(status(url + "/v1/devices", "")).isEqualTo(401);
      assertThat(status(url + "/v1/devices", added.out().strip())).isEqualTo(200);
      assertThat(status(url + "/v1/devices", "wrong")).isEqualTo(401);

      process.destroy(); // SIGTERM
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void beyondThisMachineItTakesATokenAndAProxy() {
    TestingCommand open = TestingCommand.run("serve", "--listen", "0.0.0.0:0", "--data", data);
    assertThat(open.code()).isEqualTo(2);
    assertThat(open.err()).contains("there is no token");
    TestingCommand.run("token", "add", "root", "--role", "admin", "--data", data);
    TestingCommand plain = TestingCommand.run("serve", "--listen", "0.0.0.0:0", "--data", data);
    assertThat(plain.code()).isEqualTo(2);
    assertThat(plain.err()).contains("--plain");
  }

  @Test
  void optionsComeFromAFileToo() throws Exception {
    Path file =
        Files.writeString(data.resolve("options"), "--listen 0.0.0.0:0\n# a comment\n--json\n");
    TestingCommand open = TestingCommand.run("serve", "@" + file, "--data", data);
    assertThat(open.code()).isEqualTo(2);
    assertThat(open.err()).contains("--listen 0.0.0.0:0 can be reached");
  }

  @Test
  void tokensAreListedAndRemoved() {
    TestingCommand.run(
        "token", "add", "anna", "--role", "submit", "--tenant", "films", "--data", data);
    TestingCommand twice = TestingCommand.run("token", "add", "anna", "--data", data);
    assertThat(twice.code()).isEqualTo(2);
    assertThat(TestingCommand.run("token", "list", "--data", data).out())
        .contains("anna", "submit", "films");
    assertThat(TestingCommand.run("token", "remove", "anna", "--data", data).code()).isZero();
    assertThat(TestingCommand.run("token", "remove", "anna", "--data", data).code()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8080", "host:", "127.0.0.1:x", "127.0.0.1:70000", "127.0.0.1:-1"})
  void refusesWhatIsNoAddress(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ListenAddress.parse(text));
  }

  @Test
  void readsAddresses() {
    assertThat(ListenAddress.parse("127.0.0.1:80").getPort()).isEqualTo(80);
    assertThat(ListenAddress.parse(":0").getAddress().isLoopbackAddress()).isTrue();
    assertThat(ListenAddress.parse("[::1]:8080").getAddress().isLoopbackAddress()).isTrue();
  }
}
