package dev.fairlead.media.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.Excerpt;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.MaxRates;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.PictureChoice;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.source.Rational;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonRecordsTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int CASES = Boolean.getBoolean("fairlead.full") ? 50_000 : 2_000;
  private static final String SUBMITTED_1 =
      """
      {"is":"Submitted","request":{"input":"file:///in.mp4","output":"file:///out",\
      "content":{"ladder":{"is":"Auto"},\
      "encoding":{"codec":"AV1","preset":null,"crf":null,"maxRates":{"all":null,"byRung":{}},"mix":"COMPATIBLE"},"picture":{"maxFps":null,"deinterlace":"AUTO","hdr":"TONEMAP"},"audio":"AUTO","excerpt":{"start":"PT0S","end":null}},\
      "packaging":{"format":"HLS","segment":"PT4S"},\
      "running":{"memoryBytes":null,"restart":false}},\
      "tenant":{"name":"a","weight":1.0},"priority":"LOW","strict":true,"toSink":false,"version":1}\
      """;

  private static final List<String> NAMES =
      List.of("a", "film.mp4", "a b", "Übung €", "100% \"x\"\n", "日本", "#?&", "..x", "\\");

  /** Draws requests in which every field differs from the usual one now and then. */
  private record Draw(SplittableRandom random) {
    <T> T any(List<T> values) {
      return values.get(random.nextInt(values.size()));
    }

    <E extends Enum<E>> E any(Class<E> type) {
      return any(List.of(type.getEnumConstants()));
    }

    <T> Optional<T> maybe(Supplier<T> value) {
      return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
    }

    OptionalInt number(int most) {
      return random.nextBoolean() ? OptionalInt.of(random.nextInt(most)) : OptionalInt.empty();
    }

    OptionalLong bits() {
      return random.nextBoolean()
          ? OptionalLong.of(random.nextLong(1, Long.MAX_VALUE))
          : OptionalLong.empty();
    }

    Path path() {
      return Path.of("/", any(NAMES), any(NAMES));
    }

    LadderSpec ladder() {
      return random.nextInt(3) == 0
          ? LadderSpec.auto()
          : new LadderSpec.Listed(
              IntStream.rangeClosed(0, random.nextInt(4))
                  .mapToObj(each -> new LadderSpec.Ask(size(), number(64), bits()))
                  .toList());
    }

    private LadderSpec.Size size() {
      return random.nextBoolean()
          ? new LadderSpec.Size.ShortSide(random.nextInt())
          : new LadderSpec.Size.Box(random.nextInt(), random.nextInt());
    }

    EncodingChoice encoding() {
      VideoCodec codec = any(VideoCodec.class);
      Map<String, Long> byRung = new LinkedHashMap<>();
      for (int each = random.nextInt(3); each > 0; each--) {
        byRung.put(any(NAMES), random.nextLong());
      }
      return new EncodingChoice(
          codec,
          number(EncodingChoice.FASTEST_PRESET + 1),
          number(codec.largestCrf() + 1),
          new MaxRates(bits(), byRung),
          any(EncodingChoice.Mix.class));
    }

    PictureChoice picture() {
      return new PictureChoice(
          maybe(() -> new Rational(1 + random.nextInt(9_000), 1 + random.nextInt(10_000)))
              .filter(rate -> rate.value() <= 1_000),
          any(PictureChoice.Deinterlace.class),
          any(PictureChoice.Hdr.class));
    }

    Excerpt excerpt() {
      Duration start = Duration.ofNanos(random.nextLong(Duration.ofDays(9).toNanos()));
      return new Excerpt(start, maybe(() -> start.plusNanos(1 + random.nextInt(1_000_000))));
    }

    TranscodeRequest request() {
      return new TranscodeRequest(
          path(),
          path(),
          new TranscodeRequest.Content(
              ladder(), encoding(), picture(), any(AudioMode.class), excerpt()),
          new TranscodeRequest.Packaging(
              any(OutputFormat.class), Duration.ofNanos(random.nextLong(1, 3_600_000_000_000L))),
          new TranscodeRequest.Running(bits(), random.nextBoolean()));
    }

    JobEntry entry() {
      return switch (random.nextInt(8)) {
        case 0 -> new JobEntry.Paused();
        case 1 -> new JobEntry.Resumed();
        case 2 -> new JobEntry.Urgency(any(Priority.class));
        case 3 -> new JobEntry.Changed(any(JobState.class), any(NAMES), maybe(this::moment));
        case 4 -> new JobEntry.Worked(facts());
        default ->
            new JobEntry.Submitted(
                request(),
                new Tenant("t" + any(NAMES).strip(), random.nextDouble(0.001, 1e9)),
                any(Priority.class),
                random.nextBoolean(),
                random.nextBoolean(),
                Map.of("name", any(NAMES)));
      };
    }

    Instant moment() {
      return Instant.ofEpochSecond(random.nextLong(1L << 33), random.nextInt(1_000_000_000));
    }

    JobFacts facts() {
      return new JobFacts(
          new JobFacts.Times(maybe(this::moment), maybe(this::moment)),
          new JobFacts.Tries(random.nextInt(9), random.nextInt(99)),
          List.of(new JobFacts.DeviceShare("cpu:0", 3, random.nextDouble(), 1)),
          List.of(new JobFacts.Rung(any(NAMES), 640, 360, 9, 2, 1L << 40, maybe(() -> any(NAMES)))),
          maybe(() -> new JobFacts.Failure(random.nextInt(9), any(NAMES))));
    }

    FairShares shares() {
      return new FairShares(
          random.nextDouble(),
          IntStream.range(0, random.nextInt(4))
              .mapToObj(each ->
                  new FairShares.Share(
                      new Tenant("t" + each, random.nextDouble(0.001, 1e9)),
                      random.nextDouble(-1, 1e12),
                      random.nextDouble(),
                      random.nextBoolean()))
              .toList());
    }
  }

  @Test
  void whatIsWrittenIsReadAsItWas() {
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      Draw draw = new Draw(new SplittableRandom(seed));
      JobEntry entry = draw.entry();
      FairShares shares = draw.shares();
      assertThat(JsonRecords.entry(JsonRecords.text(entry)))
          .as("seed %d, %s", seed, JsonRecords.text(entry))
          .isEqualTo(entry);
      assertThat(JsonRecords.shares(JsonRecords.text(shares)))
          .as("seed %d", seed)
          .isEqualTo(shares);
    }
  }

  @Test
  void pathsAreWrittenInFullSoThatTheyHoldElsewhere() {
    JobEntry.Submitted relative =
        new JobEntry.Submitted(
            TranscodeRequest.of(Path.of("in.mp4"), Path.of("out")),
            Tenant.of("a"),
            Priority.LOW,
            false,
            false,
            Map.of());
    JobEntry.Submitted read = (JobEntry.Submitted) JsonRecords.entry(JsonRecords.text(relative));
    assertThat(read.request().input()).isEqualTo(Path.of("in.mp4").toAbsolutePath());
    assertThat(read.request().output()).isEqualTo(Path.of("out").toAbsolutePath());
  }

  /** Texts as that version has written them. */
  @Test
  void entriesOfTheFirstFormAreRead() {
    assertThat(
            JsonRecords.entry(
                "{\"is\":\"Changed\",\"state\":\"RUNNING\",\"reason\":\"\",\"version\":1}"))
        .isEqualTo(new JobEntry.Changed(JobState.RUNNING, "", Optional.empty()));
    JobEntry.Submitted now =
        new JobEntry.Submitted(
            TranscodeRequest.of(Path.of("/in.mp4"), Path.of("/out")),
            Tenant.of("a"),
            Priority.LOW,
            true,
            false,
            Map.of());
    assertThat(JsonRecords.entry(SUBMITTED_1)).isEqualTo(now);
  }

  @Test
  void aNewerRecordIsRefusedInASentence() {
    assertThatThrownBy(() -> JsonRecords.entry("{\"version\":3,\"is\":\"Paused\",\"until\":7}"))
        .isInstanceOf(JsonRecords.Unreadable.class)
        .hasMessageContaining("a newer Fairlead has written it, in form 3 of records");
  }

  @Test
  void whatIsNoRecordIsToldAsWhatItIs() {
    for (String text :
        List.of(
            "",
            "queued",
            "7",
            "[]",
            "{}",
            "{\"version\":1}",
            "{\"version\":1,\"is\":\"Nothing\"}",
            "{\"version\":1,\"is\":\"Paused\",\"more\":1}",
            "{\"version\":1,\"is\":\"Urgency\"}",
            "{\"version\":1,\"is\":\"Urgency\",\"priority\":\"SOON\"}",
            "{\"version\":1,\"is\":\"Submi")) {
      assertThatThrownBy(() -> JsonRecords.entry(text))
          .as(text)
          .isInstanceOf(JsonRecords.Unreadable.class);
    }
  }
}
