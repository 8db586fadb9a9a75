package dev.fairlead.media.store;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Journal entries by chance, with values that are hard to write. */
final class TestingEntries {
  private static final List<String> TEXTS =
      List.of(
          "",
          "cpu:0",
          "a\tb",
          "line\nbreak\r\n",
          "\\",
          "\\n",
          "ü€𝄞",
          "\u2028",
          "begun",
          "x".repeat(700));

  private TestingEntries() {}

  static JournalEntry any(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 ->
          new JournalEntry.Begun(
              Fingerprint.empty().with("a", text(random)).with("b: c".replace(": ", ":"), 1));
      case 1 -> new JournalEntry.Promise("720p", text(random), text(random));
      case 2 -> new JournalEntry.Started(unit(random), device(random), random.nextInt(9));
      case 3 ->
          new JournalEntry.Committed(
              unit(random), text(random), random.nextLong(), random.nextLong(), text(random));
      case 4 -> new JournalEntry.Failed(unit(random), device(random), text(random));
      case 5 -> new JournalEntry.Crashed(several(random).map(_ -> unit(random)).toList());
      case 6 -> new JournalEntry.Condemned(unit(random), several(random).toList());
      case 7 -> new JournalEntry.Published(text(random), random.nextLong(), text(random));
      case 8 ->
          new JournalEntry.Sound(
              text(random),
              text(random),
              text(random),
              random.nextInt(),
              random.nextInt(),
              random.nextLong(),
              random.nextLong(),
              several(random).toList());
      default -> new JournalEntry.Finished();
    };
  }

  private static Stream<String> several(SplittableRandom random) {
    return Stream.generate(() -> text(random)).limit(random.nextInt(3));
  }

  private static String text(SplittableRandom random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private static DeviceId device(SplittableRandom random) {
    return DeviceId.of(random.nextBoolean() ? "GPU-5f0c\\ü" : "pci:0000:3b:00.0");
  }

  private static UnitId unit(SplittableRandom random) {
    return new UnitId(
        random.nextBoolean() ? "720p" : "audio-1", random.nextLong(1_000_000_000_000L));
  }
}
