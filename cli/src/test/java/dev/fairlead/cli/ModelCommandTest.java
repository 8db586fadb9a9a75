package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.stats.CostModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ModelCommandTest {
  private static final Device FULL = Device.of(DeviceKind.CPU, 0);
  private static final Device SLOWED = Device.of(DeviceKind.CPU, 1).withWeight(0.25);

  @TempDir private Path directory;

  @Test
  void showsWhatHasBeenLearned() {
    Path file = directory.resolve("state").resolve("costs");
    new ModelFile(file).save(learned(2), List.of(FULL), ModelCommandTest::none);

    TestingCommand table = TestingCommand.run("model", "--model", file);
    TestingCommand json = TestingCommand.run("model", "--model", file, "--json");

    assertThat(table.out()).contains("cpu:0", "av1 preset 10 360p", "0.5000 s", "KIND OF WORK");
    JsonNode entry = JsonEvents.JSON.readTree(json.out()).get("entries").get(0);
    assertThat(entry.get("secondsPerSize").asDouble()).isEqualTo(0.5);
    assertThat(entry.get("samples").asLong()).isEqualTo(4);
    assertThat(entry.get("confidence").asDouble()).isPositive();
  }

  @Test
  void saysThatThereIsNothingYet() {
    TestingCommand run = TestingCommand.run("model", "--model", directory.resolve("costs"));

    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("Nothing has been learned yet");
  }

  @Test
  void namesTheLineOfAFileThatIsBroken() throws IOException {
    Path file = directory.resolve("costs");
    Files.writeString(file, "fairlead-cost-model 2\ncpu:0\tencode\tfast\n");

    TestingCommand run = TestingCommand.run("model", "--model", file);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(file + " line 2").doesNotContain("--verbose");
  }

  private static void none(String trouble) {
    throw new AssertionError(trouble);
  }

  @Test
  void aFileThatIsBrokenCostsNoWork() throws IOException {
    ModelFile file = new ModelFile(directory.resolve("costs"));
    Files.writeString(file.path(), "garbage");
    List<String> troubles = new ArrayList<>();

    assertThat(file.open(List.of(FULL), troubles::add).entries()).isEmpty();
    file.save(learned(2), List.of(FULL), troubles::add);

    assertThat(file.path()).as("it is the user's to delete").hasContent("garbage");
    assertThat(troubles).hasSize(2).allMatch(each -> each.contains(file.path() + " line 1"));
    assertThat(troubles.getFirst()).startsWith("Learned costs are not used");
    assertThat(troubles.getLast()).startsWith("Learned costs are not kept");
  }

  @Test
  void aFileThatCannotBeWrittenCostsNoWork() throws IOException {
    Path occupied = Files.writeString(directory.resolve("occupied"), "");
    List<String> troubles = new ArrayList<>();

    new ModelFile(occupied.resolve("costs")).save(learned(2), List.of(FULL), troubles::add);

    assertThat(troubles).singleElement().asString().contains("not kept", occupied.toString());
  }

  @Test
  void runsThatEndAtOnceDoNotSpoilEachOthersFile() throws Exception {
    ModelFile file = new ModelFile(directory.resolve("costs"));
    List<String> troubles = Collections.synchronizedList(new ArrayList<>());
    List<Thread> runs = new ArrayList<>();
    for (int run = 0; run < 4; run++) {
      runs.add(
          Thread.startVirtualThread(() -> {
            for (int times = 0; times < 50; times++) {
              file.save(learned(2), List.of(FULL), troubles::add);
            }
          }));
    }
    for (Thread run : runs) {
      run.join();
    }
    assertThat(troubles).isEmpty();
    assertThat(file.read().seconds(FULL.id(), "av1 preset 10 360p", 4)).isEqualTo(2);
    assertThat(directory).isDirectoryNotContaining(left -> !left.equals(file.path()));
  }

  @Test
  void aLaneThatWasSlowedDownForARehearsalIsNotRemembered() {
    ModelFile file = new ModelFile(directory.resolve("costs"));
    file.save(learned(2), List.of(FULL, Device.of(DeviceKind.CPU, 1)), ModelCommandTest::none);

    CostModel model = file.open(List.of(FULL, SLOWED), ModelCommandTest::none);
    assertThat(model.seconds(SLOWED.id(), "av1 preset 10 360p", 1)).isNaN();
    assertThat(model.seconds(FULL.id(), "av1 preset 10 360p", 1)).isEqualTo(0.5);

    file.save(learned(8), List.of(FULL, SLOWED), ModelCommandTest::none);
    CostModel kept = file.read();
    assertThat(kept.seconds(FULL.id(), "av1 preset 10 360p", 1)).isEqualTo(2);
    assertThat(kept.seconds(SLOWED.id(), "av1 preset 10 360p", 1)).as("as before").isEqualTo(0.5);
  }

  private static CostModel learned(double seconds) {
    CostModel model = new CostModel();
    for (int i = 0; i < 4; i++) {
      model.record(FULL.id(), "av1 preset 10 360p", 4, seconds);
      model.record(SLOWED.id(), "av1 preset 10 360p", 4, seconds);
    }
    return model;
  }
}
