package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.json.JsonEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class SimulateCommandTest {
  @TempDir private Path directory;

  @Test
  void printsARowForEachPolicy() {
    TestingCommand run =
        TestingCommand.run("simulate", "--fleet", "2xfast:4,1xslow:1", "--workload", "ladder");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("MAKESPAN÷BOUND", "any-rung", "helpers", "per-rung", "round-robin")
        .contains("earliest-finish", "3 simulated devices, ladder, seed 7");
  }

  @ParameterizedTest
  @CsvSource({"ladder", "poisson", "burst", "heavy-tail", "batch", "range"})
  void isOneJsonObjectOnOneLine(String workload) {
    TestingCommand run =
        TestingCommand.run(
            "simulate",
            "--fleet",
            "2xa:1",
            "--workload",
            workload,
            "--seed",
            "7",
            "--json",
            "--set",
            workload.equals("ladder") ? "chunks=20" : "tasks=500");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out().strip().lines()).hasSize(1);
    JsonNode policies = JsonEvents.JSON.readTree(run.out()).get("policies");
    assertThat(policies.size()).isEqualTo(policies(workload));
    for (JsonNode policy : policies) {
      assertThat(policy.get("name").asString()).isNotBlank();
      assertThat(policy.get("makespanOverBound").asDouble()).isGreaterThanOrEqualTo(1 - 1e-6);
      assertThat(policy.get("p95Seconds").asDouble())
          .isBetween(0.0, policy.get("p99Seconds").asDouble());
      assertThat(policy.get("meanSeconds").asDouble()).isPositive();
      assertThat(policy.get("lost").asLong()).isZero();
    }
  }

  @Test
  void showsWhatTenantsHad() {
    List<String> command =
        List.of("simulate", "--fleet", "2xfast:4,2xslow:1", "--tenants", "a:3,b:1");
    List<String> json = new ArrayList<>(command);
    json.addAll(List.of("--jobs", "40", "--policy", "any-rung", "--json"));
    TestingCommand run = TestingCommand.run(json.toArray());
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode policy = JsonEvents.JSON.readTree(run.out()).get("policies").get(0);
    assertThat(policy.get("name").asString()).isEqualTo("fair any-rung");
    assertThat(policy.get("worstDeviation").asDouble()).isBetween(0.0, 0.05);
    JsonNode first = policy.get("tenants").get(0);
    assertThat(first.get("name").asString()).isEqualTo("a");
    assertThat(first.get("weight").asDouble()).isEqualTo(3);
    assertThat(first.get("share").asDouble()).isBetween(0.7, 0.8);
    assertThat(first.get("jobsDone").asInt()).isEqualTo(20);

    TestingCommand text = TestingCommand.run(command.toArray());
    assertThat(text.code()).as(text.err()).isZero();
    assertThat(text.out()).contains("fair any-rung", "fair helpers", "TENANT", "LONGEST WAIT");
    assertThat(TestingCommand.run("simulate", "--fleet", "2xa:1", "--tenants", "a:0").code())
        .isEqualTo(2);
  }

  private static int policies(String workload) {
    return switch (workload) {
      case "ladder" -> 9;
      case "range" -> 10;
      default -> 6;
    };
  }

  @Test
  void writesNullWhereThereIsNoNumber() {
    TestingCommand run =
        TestingCommand.run(
            "simulate",
            "--fleet",
            "1xa:1",
            "--mishap",
            "lost a-1 at 0",
            "--policy",
            "any-rung",
            "--json");

    JsonNode policy = JsonEvents.JSON.readTree(run.out()).get("policies").get(0);
    assertThat(policy.get("makespanOverBound").isNull()).isTrue();
    assertThat(policy.get("lost").asLong()).isEqualTo(300);
  }

  @Test
  void readsAScenarioFileAndLetsOptionsGoFirst() throws IOException {
    Path file =
        scenario("# a night\nfleet = 2xa:1\nworkload=poisson # calm\ntasks = 100\nseed = 3");

    TestingCommand run = TestingCommand.run("simulate", file, "--seed", "9");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("2 simulated devices, poisson, seed 9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fleet = 2xa:1;speed = 3             | line 2, field speed: there is no field \"speed\"",
        "fleet = 2xa:1;;load = high          | line 3, field load: load is not a number: \"high\"",
        "fleet = 2xa:0                       | line 1, field fleet: fleet term \"2xa:0\": speed",
        "fleet = 0xa:1                       | line 1, field fleet: fleet term \"0xa:1\": count",
        "fleet = 2xa:1;fleet = 3xa:1         | line 2: the field fleet is given twice",
        "fleet = 2xa:1;hello                 | line 2: \"hello\" is not NAME = VALUE",
        "fleet = 2xa:1;mishap = stop b-1 at 3| line 2, field mishap: there is no device \"b-1\"",
        "fleet = 2xa:1;workload = flood      | line 2, field workload: there is no workload",
        "fleet = 2xa:1;chunks = 2.5          | line 2, field chunks: chunks is not a whole number",
        "fleet = 2xa:1;rungs = 9             | line 2, field rungs",
        "fleet = 2xa:1;stale = -1            | line 2, field stale: stale is negative",
        "fleet = 2xa:1;calibrated = maybe    | line 2, field calibrated: calibrated is neither",
        "fleet = 2xa:1;policy = best         | There is no policy \"best\"",
        "seed = 3                            | No fleet is given",
      })
  void namesTheLineAndTheFieldThatIsWrong(String text, String problem) throws IOException {
    TestingCommand run = TestingCommand.run("simulate", scenario(text.replace(';', '\n')));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err().strip().lines()).hasSize(1);
    assertThat(run.err()).contains(problem);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void refusesAScenarioThatIsNoText() throws IOException {
    Path file = directory.resolve("binary");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

    assertThat(TestingCommand.run("simulate", file).err()).contains("is not a text file");
    assertThat(TestingCommand.run("simulate", directory.resolve("absent")).err())
        .contains("there is no such file");
  }

  @Test
  void writesAPageThatNeedsNothingElse() throws IOException {
    Path page = directory.resolve("deep").resolve("page.html");

    TestingCommand run =
        TestingCommand.run(
            "simulate",
            "--fleet",
            "2xfast:4,1xslow:1",
            "--mishap",
            "stop fast-1 at 20",
            "--report",
            page);

    assertThat(run.code()).as(run.err()).isZero();
    String html = Files.readString(page);
    assertThat(html)
        .contains(
            "<svg", "How many wait", "Time in system", "fast-1", "bar failed", "earliest-finish")
        .doesNotContain("{{", "http:", "https:", "<script", "NaN");
  }

  @Test
  void replaysATraceOnAnotherFleet() throws IOException {
    Path trace = trace(unit("360p", 0, 2) + "," + unit("360p", 1, 2) + "," + unit("360p", 2, 2));

    TestingCommand run =
        TestingCommand.run(
            "simulate", "--from", trace, "--fleet", "1xa:1", "--policy", "any-rung", "--json");

    assertThat(run.code()).as(run.err()).isZero();
    JsonNode policy = JsonEvents.JSON.readTree(run.out()).get("policies").get(0);
    assertThat(policy.get("makespanSeconds").asDouble()).isEqualTo(6);
  }

  @Test
  void theSpeedsOfTheRecordedDevicesAreTakenOutOfWhatChunksCost() throws IOException {
    List<String> units = new ArrayList<>();
    for (int chunk = 0; chunk < 12; chunk++) {
      units.add(chunk % 3 == 0 ? unit("360p", chunk, "slow", 0, 4) : unit("360p", chunk, 1));
    }
    Path trace = trace(String.join(",", units));

    assertThat(makespan(trace, "--fleet", "1xone:1")).isEqualTo(12);
    assertThat(makespan(trace, "--fleet", "2xone:1")).isEqualTo(6);
    assertThat(makespan(trace)).as("the same devices again").isEqualTo(10);
  }

  @Test
  void devicesThatDifferByChanceOnlyAreAlike() throws IOException {
    List<String> units = new ArrayList<>();
    for (int chunk = 0; chunk < 12; chunk++) {
      units.add(chunk % 2 == 0 ? unit("360p", chunk, "b", 0, 1.1) : unit("360p", chunk, 1));
    }

    assertThat(makespan(trace(String.join(",", units)), "--fleet", "1xone:1")).isEqualTo(12.6);
  }

  @Test
  void whatPassesBetweenTwoChunksIsPartOfAReplay() throws IOException {
    List<String> units = new ArrayList<>();
    for (int chunk = 0; chunk < 12; chunk++) {
      units.add(unit("360p", chunk, "a", chunk * 2.25, 2));
    }
    units.add(unit("360p", 12, "a", 100, 2)); // it had to wait for the decoder

    assertThat(makespan(trace(String.join(",", units)), "--fleet", "1xa:1")).isEqualTo(13 * 2.25);
    assertThat(makespan(trace(String.join(",", units)), "--fleet", "1xa:1/item=1"))
        .as("what the user says counts")
        .isEqualTo(13 * 3);
  }

  @Test
  void aReplayKeepsDevicesThatHadNothingToDo() throws IOException {
    String devices =
        Stream.of("a", "idle", "slow")
            .map(label ->
                "{\"label\":\"%s\",\"slots\":1,\"weight\":%s}"
                    .formatted(label, label.equals("slow") ? 0.5 : 1))
            .collect(Collectors.joining(",", "],\"devices\":[", "]}"));
    String alone = Files.readString(trace(unit("360p", 0, 2) + "," + unit("360p", 1, 2)));
    Path trace =
        Files.writeString(directory.resolve("idle.json"), alone.replaceFirst("\\]\\}", devices));

    assertThat(makespan(trace)).isEqualTo(2);
    TestingCommand run =
        TestingCommand.run("simulate", "--from", trace, "--policy", "any-rung", "--json");
    assertThat(JsonEvents.JSON.readTree(run.out()).at("/policies/0/busyShares").propertyNames())
        .containsExactly("a", "idle", "slow");
  }

  @Test
  void whatHasNoEffectOnAReplayIsRefused() throws IOException {
    TestingCommand run =
        TestingCommand.run("simulate", "--from", trace(unit("360p", 0, 2)), "--chunks", "7");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--chunks has no effect with --from");
  }

  @Test
  void equalRowsAreExplained() {
    TestingCommand alike =
        TestingCommand.run(
            "simulate", "--fleet", "1xone:1", "--policy", "any-rung,helpers", "--chunks", "4");
    TestingCommand different =
        TestingCommand.run(
            "simulate",
            "--fleet",
            "2xfast:4,1xslow:1",
            "--policy",
            "any-rung,per-rung",
            "--chunks",
            "40");

    TestingCommand taken =
        TestingCommand.run(
            "simulate",
            "--fleet",
            "2xfast:4,1xslow:1",
            "--policy",
            "round-robin,least-loaded,adaptive,weighted");

    assertThat(alike.out())
        .contains("any-rung and helpers have equal rows: what they choose differently never came");
    assertThat(taken.out())
        .contains(
            "round-robin, least-loaded and adaptive have equal rows: all work waits from the"
                + " beginning, and a device that is free takes it");
    assertThat(different.out()).doesNotContain("equal rows");
  }

  @Test
  void noTimeInSystemIsLongerThanTheWhole() {
    for (String workload : List.of("ladder", "batch")) {
      TestingCommand run =
          TestingCommand.run(
              "simulate", "--fleet", "2xfast:4,1xslow:1", "--workload", workload, "--json");
      JsonNode policies = JsonEvents.JSON.readTree(run.out()).get("policies");
      assertThat(policies)
          .as(workload)
          .isNotEmpty()
          .allSatisfy(policy ->
              assertThat(policy.get("p99Seconds").asDouble())
                  .isLessThanOrEqualTo(policy.get("makespanSeconds").asDouble()));
    }
  }

  private static double makespan(Object... options) {
    List<Object> arguments = new ArrayList<>(List.of("simulate", "--policy", "any-rung", "--json"));
    arguments.add("--from");
    arguments.addAll(List.of(options));
    TestingCommand run = TestingCommand.run(arguments.toArray());
    assertThat(run.code()).as(run.err()).isZero();
    return JsonEvents.JSON.readTree(run.out()).at("/policies/0/makespanSeconds").asDouble();
  }

  @Test
  void refusesTracesThatAreTruncatedForeignOrUnfinished() throws IOException {
    String whole = Files.readString(trace(unit("360p", 0, 2)));
    refuses(whole.substring(0, whole.length() - 9), "line 1 column", "no whole JSON document");
    refuses("{\"traceEvents\":[]}", "otherData.fairleadTrace", "no trace of 'fairlead transcode");
    refuses("[1]", "otherData.fairleadTrace");
    refuses("", "otherData.fairleadTrace");
    refuses(whole.replace("\"fairleadTrace\":1", "\"fairleadTrace\":2"), "reads version 1");
    refuses(whole.replace("\"seconds\":2.0", "\"seconds\":-1"), "traceEvents[0].args.seconds");
    refuses(whole.replace("\"rung\":\"360p\"", "\"rung\":\"x\""), "traceEvents[0].args.rung");
    refuses(whole.replace("\"device\":\"a\"", "\"device\":7"), "traceEvents[0].args.device");
    refuses(whole.replace("committed", "failed"), "holds 0 committed chunks");
    refuses(
        whole.replace("{\"name\":\"360p\",", "{\"name\":\"720p\",\"size\":3},{\"name\":\"360p\","),
        "not 2 rungs × 1");
  }

  private void refuses(String text, String... problems) throws IOException {
    Path file = Files.writeString(directory.resolve("bad.json"), text);
    TestingCommand run = TestingCommand.run("simulate", "--from", file, "--fleet", "1xa:1");
    assertThat(run.code()).as(text).isEqualTo(2);
    assertThat(run.err()).contains(file.toString()).contains(problems);
  }

  private Path trace(String events) throws IOException {
    return Files.writeString(
        directory.resolve("trace.json"),
        "{\"otherData\":{\"fairleadTrace\":1,\"rungs\":[{\"name\":\"360p\",\"size\":3}]},"
            + "\"traceEvents\":["
            + events
            + "]}");
  }

  private static String unit(String rung, int chunk, double seconds) {
    return unit(rung, chunk, "a", 0, seconds);
  }

  private static String unit(
      String rung, int chunk, String device, double fromSeconds, double seconds) {
    return ("{\"ph\":\"X\",\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{\"rung\":\"%s\",\"chunk\":%d,"
            + "\"device\":\"%s\",\"outcome\":\"committed\",\"seconds\":%s}}")
        .formatted(
            device.hashCode(),
            Math.round(fromSeconds * 1e6),
            Math.round(seconds * 1e6),
            rung,
            chunk,
            device,
            seconds);
  }

  private Path scenario(String text) throws IOException {
    return Files.writeString(directory.resolve("try.scenario"), text);
  }
}
