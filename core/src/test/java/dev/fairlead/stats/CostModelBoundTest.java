package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model does not grow with the number of kinds, which may have ids in them. */
class CostModelBoundTest {
  private static final DeviceId ONE = DeviceId.of("cuda:0");
  private static final DeviceId OTHER = DeviceId.of("cuda:1");
  private static final int MANY = 3 * CostModel.MOST_CURVES;
  private static final int THREADS = 4;

  @TempDir private Path directory;
  private final CostModel model = new CostModel();

  private void calibrate(DeviceId device, String kind) {
    for (int sample = 0; sample < CostModel.SAMPLES_TO_TRUST; sample++) {
      model.record(device, kind, 1, 2);
    }
  }

  @Test
  void forgetsTheKindsThatWereNotUsedForLongest() {
    calibrate(ONE, "read");
    calibrate(OTHER, "written");
    calibrate(ONE, "written");
    for (int job = 0; job < MANY; job++) {
      calibrate(ONE, "job " + job);
      assertThat(model.seconds(ONE, "read", 1)).isNotNaN();
      model.record(ONE, "written", 1, 2);
    }

    assertThat(model.entries()).hasSizeBetween(CostModel.MOST_CURVES / 2, CostModel.MOST_CURVES);
    assertThat(model.seconds(ONE, "job " + (MANY - 1), 1)).isNotNaN();
    assertThat(model.seconds(ONE, "job 0", 1)).isNaN();
    assertThat(model.seconds(OTHER, "written", 1)).as("a kind is forgotten whole").isNotNaN();
  }

  @Test
  void countsCurvesThatWereOnlyAskedFor() {
    calibrate(ONE, "early");
    for (int job = 0; job < MANY; job++) {
      model.curve(ONE, "job " + job);
    }

    assertThat(model.seconds(ONE, "early", 1)).isNaN();
  }

  @Test
  void knowsAllKindsOnEveryDeviceOfALargeFleet() {
    List<DeviceId> fleet =
        IntStream.range(0, 1_000).mapToObj(number -> DeviceId.of("gpu:" + number)).toList();
    for (int kind = 0; kind < 20; kind++) {
      for (DeviceId device : fleet) {
        model.record(device, "rung " + kind, 1, 2);
      }
    }

    assertThat(model.entries()).hasSize(20_000);
  }

  @Test
  void readsAndWritesNoMoreThanItKeeps() throws IOException {
    Path file = directory.resolve("costs");
    model.record(ONE, "job", 1, 2);
    model.write(file);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    for (int job = 0; job < MANY; job++) {
      lines.add(lines.get(1).replace("job", "job " + job));
    }
    Files.write(file, lines);

    CostModel read = CostModel.read(file);
    read.write(file);

    assertThat(read.entries()).hasSizeBetween(1, CostModel.MOST_CURVES);
    assertThat(Files.readAllLines(file)).hasSize(read.entries().size() + 1);
  }

  @Test
  void staysWithinItsBoundUnderManyThreads() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      int first = number * CostModel.MOST_CURVES;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  for (int job = first; job < first + CostModel.MOST_CURVES; job++) {
                    model.record(ONE, "job " + job, 1, 2);
                    model.record(ONE, "common", 1, 2);
                    model.curve(OTHER, "common").seconds(1);
                  }
                } catch (Throwable thrown) {
                  failure.set(thrown);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(60));
      assertThat(thread.isAlive()).isFalse();
    }

    assertThat(failure).hasValue(null);
    assertThat(model.entries()).hasSizeBetween(1, CostModel.MOST_CURVES);
    assertThat(model.curve(ONE, "common").samples())
        .isEqualTo(THREADS * (long) CostModel.MOST_CURVES);
  }
}
