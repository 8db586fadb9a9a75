package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.DeviceId;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AffinityTest {
  private static final int KEYS = 10_000;
  private static final List<DeviceId> NAMED =
      List.of(
          DeviceId.of("cuda:0"),
          DeviceId.of("cuda:1"),
          DeviceId.of("opencl:0"),
          DeviceId.of("GPU-5f0c"),
          DeviceId.of("pci:0000:3b:00.0"));

  /** Worked out from the definition by another programme: every machine must agree with it. */
  @ParameterizedTest
  @CsvSource({
    "job-1,     3 0 4 2 1, 3 0 4 2 1",
    "job-2,     4 3 0 1 2, 3 4 2 0 1",
    "'',        1 4 0 2 3, 1 3 2 0 4",
    "movie.mp4, 4 3 2 1 0, 3 2 4 1 0",
    "größe,     2 0 4 3 1, 2 3 0 4 1",
    "鍵,        0 4 1 3 2, 0 1 3 4 2",
    "😀,        3 1 0 2 4, 3 1 0 2 4",
  })
  void ordersDevicesAsTheContractSays(String key, String equal, String weighted) {
    assertThat(Affinity.order(key, NAMED, ones(5))).containsExactly(indices(equal));
    assertThat(Affinity.order(key, NAMED, List.of(1.0, 1.0, 2.0, 4.0, 0.5)))
        .containsExactly(indices(weighted));
  }

  @Test
  void doesNotDependOnTheOrderInWhichDevicesAreListed() {
    for (int key = 0; key < 100; key++) {
      int[] forward = Affinity.order("key-" + key, NAMED, ones(5));
      int[] backward = Affinity.order("key-" + key, NAMED.reversed(), ones(5));

      assertThat(Arrays.stream(backward).map(index -> 4 - index)).containsExactly(boxed(forward));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 20})
  void movesOnlyTheNewDevicesShareOfTheKeysWhenTheFleetGrows(int devices) {
    int moved = 0;
    for (int key = 0; key < KEYS; key++) {
      int before = first(key, ones(devices));
      int after = first(key, ones(devices + 1));
      if (before != after) {
        moved++;
        assertThat(after).as("keys move to the new device only").isEqualTo(devices);
      }
    }

    assertThat(moved / (double) KEYS).isCloseTo(1.0 / (devices + 1), within(0.015));
  }

  @Test
  void keepsTheOrderOfTheOthersWhenOneIsLost() {
    for (int key = 0; key < 1_000; key++) {
      int[] all = Affinity.order("key-" + key, ids(6), ones(6));
      int[] fewer = Affinity.order("key-" + key, ids(5), ones(5));

      assertThat(Arrays.stream(all).filter(index -> index != 5)).containsExactly(boxed(fewer));
    }
  }

  @Test
  void sharesKeysByWeight() {
    List<Double> weights = List.of(1.0, 1.0, 2.0, 4.0);
    int[] counts = new int[4];
    for (int key = 0; key < KEYS; key++) {
      counts[first(key, weights)]++;
    }

    for (int index = 0; index < 4; index++) {
      assertThat(counts[index] / (double) KEYS).isCloseTo(weights.get(index) / 8, within(0.015));
    }
  }

  @Test
  void placesAKeyOnItsFirstDeviceWhileThatHasRoom() {
    TestingCandidates candidates = TestingCandidates.of(3);
    candidates.candidate(0).burden(1);
    candidates.candidate(1).burden(2);
    candidates.candidate(2).burden(2);

    assertThat(Affinity.place(candidates, new int[] {2, 0, 1})).isEqualTo(Choice.of(2, 2));
  }

  @Test
  void movesOnToTheNextDeviceWhenTheFirstIsFullOrOverItsBound() {
    TestingCandidates candidates = TestingCandidates.of(3);
    candidates.candidate(2).full();
    assertThat(Affinity.place(candidates, new int[] {2, 0, 1})).isEqualTo(Choice.of(0, 0));

    candidates.candidate(2).free().burden(4);
    candidates.candidate(0).burden(1);
    // Five items and this one over three, by five quarters: nobody takes more than three.
    assertThat(Affinity.place(candidates, new int[] {2, 0, 1})).isEqualTo(Choice.of(0, 1));
  }

  @Test
  void givesHeavierDevicesAHigherBound() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 3);
    candidates.candidate(1).burden(4);

    // Five items by five quarters: three quarters of them round up to five.
    assertThat(Affinity.place(candidates, new int[] {1, 0})).isEqualTo(Choice.of(1, 4));
    candidates.candidate(1).burden(20);
    assertThat(Affinity.place(candidates, new int[] {1, 0})).isEqualTo(Choice.of(0, 0));
  }

  @Test
  void neverLetsADeviceCarryMoreThanItsBound() {
    SplittableRandom random = new SplittableRandom(7_919);
    double[] weights = {1, 1, 2, 4};
    TestingCandidates candidates = TestingCandidates.weighing(weights);
    int outstanding = 0;
    for (int item = 0; item < 2_000; item++) {
      // One hot key takes nine of ten items; without a bound it would fill one device.
      String key = random.nextInt(10) > 0 ? "hot" : "key-" + random.nextInt();
      long choice = Affinity.place(candidates, Affinity.order(key, ids(4), boxed(weights)));
      int index = Choice.index(choice);
      candidates.candidate(index).burden(candidates.burden(index) + 1);
      outstanding++;

      double bound = Math.ceil(1.25 * outstanding * weights[index] / 8);
      assertThat((double) candidates.burden(index)).isLessThanOrEqualTo(bound);
    }
  }

  @Test
  void takesTheFirstThatIsAvailableAtAnyBurdenWhenAllOfThoseAreOverTheirBounds() {
    TestingCandidates candidates = TestingCandidates.of(4);
    candidates.candidate(0).burden(9);
    candidates.candidate(1).burden(8);
    candidates.candidate(2).full();
    candidates.candidate(3).full();

    assertThat(Affinity.place(candidates, new int[] {2, 0, 3, 1})).isEqualTo(Choice.of(0));
  }

  @Test
  void doesNotCountWhatIneligibleDevicesCarry() {
    TestingCandidates candidates = TestingCandidates.of(3);
    candidates.candidate(0).burden(2);
    candidates.candidate(2).burden(1_000).ineligible();

    // Two items and this one over two devices: the bound is two, not hundreds.
    assertThat(Affinity.place(candidates, new int[] {2, 0, 1})).isEqualTo(Choice.of(1, 0));
  }

  @Test
  void waitsWhenNobodyIsAvailable() {
    TestingCandidates candidates = TestingCandidates.of(2);
    candidates.candidate(0).full();
    candidates.candidate(1).ineligible();

    assertThat(Affinity.place(candidates, new int[] {0, 1})).isEqualTo(Choice.NONE);
    assertThat(Affinity.place(TestingCandidates.of(0), new int[] {})).isEqualTo(Choice.NONE);
  }

  private static int first(int key, List<Double> weights) {
    return Affinity.order("key-" + key, ids(weights.size()), weights)[0];
  }

  private static List<DeviceId> ids(int count) {
    return IntStream.range(0, count).mapToObj(each -> DeviceId.of("GPU-" + each)).toList();
  }

  private static List<Double> ones(int count) {
    return Collections.nCopies(count, 1.0);
  }

  private static int[] indices(String text) {
    return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  private static Integer[] boxed(int[] values) {
    return Arrays.stream(values).boxed().toArray(Integer[]::new);
  }

  private static List<Double> boxed(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
