package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.DeviceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostModelTest {
  private static final DeviceId ONE = DeviceId.of("cuda:0");
  private static final DeviceId OTHER = DeviceId.of("GPU-5f0c");
  private static final String HEADER = "fairlead-cost-model 2\n";

  @TempDir private Path directory;
  private final CostModel model = new CostModel();

  @Test
  void knowsNothingUntilItHasEnoughSamplesToTrust() {
    for (int sample = 1; sample < CostModel.SAMPLES_TO_TRUST; sample++) {
      model.record(ONE, "encode", 100, 2);
      assertThat(model.seconds(ONE, "encode", 100)).isNaN();
    }

    model.record(ONE, "encode", 100, 2);

    assertThat(model.seconds(ONE, "encode", 100)).isCloseTo(2, within(1e-9));
  }

  @Test
  void predictsInProportionToSize() {
    calibrate(ONE, "encode", 100, 2);

    assertThat(model.seconds(ONE, "encode", 50)).isCloseTo(1, within(1e-9));
    assertThat(model.seconds(ONE, "encode", 300)).isCloseTo(6, within(1e-9));
  }

  @Test
  void learnsWhatDoesNotDependOnSizeApartFromWhatDoes() {
    for (int size = 1; size <= 20; size++) {
      model.record(ONE, "encode", size, 3 + 0.5 * size);
    }

    assertThat(model.seconds(ONE, "encode", 1)).isCloseTo(3.5, within(1e-6));
    assertThat(model.seconds(ONE, "encode", 100)).isCloseTo(53, within(1e-6));
    assertThat(model.curve(ONE, "encode").fixedSeconds()).isCloseTo(3, within(1e-6));
    assertThat(model.curve(ONE, "encode").confidence()).isCloseTo(1, within(1e-3));
  }

  @Test
  void isInProportionWhereALineWouldCostLessThanNothing() {
    for (int size = 10; size <= 20; size++) {
      model.record(ONE, "encode", size, size * size);
    }

    assertThat(model.curve(ONE, "encode").fixedSeconds()).isZero();
    assertThat(model.seconds(ONE, "encode", 1)).isPositive();
  }

  @Test
  void isLessConfidentWhereItemsDiffer() {
    calibrate(ONE, "even", 1, 2);
    model.record(ONE, "uneven", 1, 1);
    model.record(ONE, "uneven", 1, 9);
    model.record(ONE, "uneven", 1, 2);

    assertThat(model.curve(ONE, "even").confidence())
        .isGreaterThan(model.curve(ONE, "uneven").confidence());
    assertThat(model.curve(OTHER, "even").confidence()).isZero();
    assertThat(model.curve(ONE, "uneven").noise()).isBetween(0.5, 1.5);
  }

  @Test
  void listsWhatItHasSamplesOf() {
    calibrate(OTHER, "encode", 1, 2);
    model.record(ONE, "scale", 1, 2);
    model.curve(ONE, "only asked for");

    assertThat(model.entries())
        .extracting(CostModel.Entry::kind)
        .containsExactly("encode", "scale");
  }

  @Test
  void keepsDevicesAndKindsApart() {
    calibrate(ONE, "encode", 1, 2);
    calibrate(OTHER, "encode", 1, 3);
    calibrate(ONE, "scale", 1, 4);

    assertThat(model.seconds(ONE, "encode", 1)).isCloseTo(2, within(1e-9));
    assertThat(model.seconds(OTHER, "encode", 1)).isCloseTo(3, within(1e-9));
    assertThat(model.seconds(ONE, "scale", 1)).isCloseTo(4, within(1e-9));
    assertThat(model.seconds(OTHER, "scale", 1)).isNaN();
  }

  @Test
  void weighsSamplesByTheirSizeAndDoesNotAverageRates() {
    for (int pair = 0; pair < 500; pair++) {
      model.record(ONE, "encode", 1, 0.001);
      model.record(ONE, "encode", 1, 0.099);
    }

    assertThat(model.seconds(ONE, "encode", 1)).isCloseTo(0.050, within(0.003));
  }

  @Test
  void forgetsWhatADeviceUsedToCost() {
    for (int sample = 0; sample < 1_000; sample++) {
      model.record(ONE, "encode", 1, 10);
    }
    for (int sample = 0; sample < 100; sample++) {
      model.record(ONE, "encode", 1, 1);
    }

    assertThat(model.seconds(ONE, "encode", 1)).isCloseTo(1, within(0.1));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1", "NaN, 1", "1, NaN"})
  void ignoresSamplesThatAreNotPositive(double size, double seconds) {
    for (int sample = 0; sample < CostModel.SAMPLES_TO_TRUST; sample++) {
      model.record(ONE, "encode", size, seconds);
    }
    assertThat(model.seconds(ONE, "encode", 1)).isNaN();

    calibrate(ONE, "encode", 1, 2);
    model.record(ONE, "encode", size, seconds);

    assertThat(model.seconds(ONE, "encode", 1)).isCloseTo(2, within(1e-9));
  }

  @Test
  void isTheSameAfterItWasWrittenAndRead() {
    calibrate(ONE, "encode av1 1080p", 1.0 / 3, Math.PI);
    calibrate(OTHER, "", 1e-30, 1e30);
    model.record(ONE, "scale", 1, 2);
    Path file = directory.resolve("costs");

    model.write(file);
    CostModel read = CostModel.read(file);

    assertThat(read.seconds(ONE, "encode av1 1080p", 7))
        .isEqualTo(model.seconds(ONE, "encode av1 1080p", 7));
    assertThat(read.seconds(OTHER, "", 7)).isEqualTo(model.seconds(OTHER, "", 7));
    assertThat(read.seconds(ONE, "scale", 1)).as("one sample is not trusted").isNaN();
    read.record(ONE, "scale", 1, 2);
    read.record(ONE, "scale", 1, 2);
    assertThat(read.seconds(ONE, "scale", 1)).as("two more are").isCloseTo(2, within(1e-9));
  }

  @Test
  void writesTheSameFileForTheSameModelAndLeavesNothingBeside() throws IOException {
    calibrate(OTHER, "encode", 1, 2);
    calibrate(ONE, "scale", 1, 2);
    calibrate(ONE, "encode", 1, 2);
    Path file = directory.resolve("costs");

    model.write(file);
    String first = Files.readString(file);
    CostModel.read(file).write(file);

    assertThat(Files.readString(file)).isEqualTo(first).startsWith(HEADER);
    assertThat(first.lines().skip(1).map(line -> line.substring(0, line.indexOf('\t'))))
        .containsExactly("GPU-5f0c", "cuda:0", "cuda:0");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void canBeWrittenAndReadWhileItIsEmpty() {
    Path file = directory.resolve("costs");

    model.write(file);

    assertThat(CostModel.read(file).seconds(ONE, "encode", 1)).isNaN();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cuda:0;encode;1;2;3;1;1;1          | 8 fields where 9 belong",
        "cuda:0;encode;1;2;3;1;1;1;1;1      | 10 fields where 9 belong",
        "cuda:0;encode;fast;2;3;1;1;1;1     | \"fast\"",
        "cuda:0;encode;1.5;big;3;1;1;1;1    | \"big\"",
        "cuda:0;encode;-1.5;2;3;1;1;1;1     | figures that are not positive",
        "cuda:0;encode;1.5;0;3;1;1;1;1      | figures that are not positive",
        "cuda:0;encode;NaN;2;3;1;1;1;1      | figures that are not positive",
        "cuda:0;encode;1.5;2;0;1;1;1;1      | figures that are not positive",
        "cuda 0;encode;1.5;2;3;1;1;1;1      | \"cuda 0\"",
      })
  void namesTheLineAndWhatIsWrongThere(String line, String problem) throws IOException {
    Path file = directory.resolve("costs");
    Files.writeString(
        file, HEADER + "cuda:1\tencode\t1\t2\t3\t1\t1\t1\t1\n\n" + line.replace(';', '\t') + "\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> CostModel.read(file))
        .withMessageContainingAll(file + " line 4", problem, "delete the file to start afresh");
  }

  @Test
  void refusesAFileThatIsNoCostModel() throws IOException {
    Path file = directory.resolve("costs");
    for (String text : List.of("", "\n", "fairlead-cost-model 1\n", "cuda:1\tencode\t1\t2\t3\n")) {
      Files.writeString(file, text);

      assertThatIllegalArgumentException()
          .isThrownBy(() -> CostModel.read(file))
          .withMessageContainingAll(file + " line 1", "not a cost model");
    }
  }

  @Test
  void namesTheFileThatCannotBeReadOrWritten() {
    Path file = directory.resolve("absent").resolve("costs");

    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> CostModel.read(file))
        .withMessageContaining(file.toString());
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> model.write(file))
        .withMessageContaining(file.toString());
  }

  private void calibrate(DeviceId device, String kind, double size, double seconds) {
    for (int sample = 0; sample < CostModel.SAMPLES_TO_TRUST; sample++) {
      model.record(device, kind, size, seconds);
    }
  }
}
