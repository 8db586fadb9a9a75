package dev.fairlead.doctor.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileFileTest {
  private static final Profile.Key KEY =
      new Profile.Key("0000:3b:00.0", "nvidia 610.10", "8.1.2-1.5.14");
  private static final Profile PROFILE =
      new Profile(
          List.of(
              new Profile.Proven(
                  KEY,
                  OptionalInt.of(3),
                  OptionalInt.of(8),
                  false,
                  List.of(
                      new Profile.Codec("h264", 8, true, ""),
                      new Profile.Codec("av1", 8, false, "the card has no encoder")),
                  Optional.of(new Profile.Copies(11.5, 12.25)),
                  List.of("h264"))),
          List.of(new Profile.Pair("0000:3b:00.0", "0000:3c:00.0", true, 12.5)),
          OptionalInt.empty());

  @TempDir private Path directory;
  private final List<String> troubles = new ArrayList<>();

  @Test
  void whatIsWrittenIsReadAgain() {
    ProfileFile file = new ProfileFile(directory.resolve("new/profile.json"));

    assertThat(file.read(troubles::add)).isEqualTo(Profile.NONE);
    file.write(PROFILE);

    assertThat(file.read(troubles::add)).isEqualTo(PROFILE);
    assertThat(troubles).isEmpty();
    assertThat(directory.resolve("new")).isDirectoryContaining("glob:**profile.json");
  }

  /** Profiles were written before copies were kept in them. */
  @Test
  void aProfileWithoutCopiesIsReadAsOneInWhichTheyWereNotMeasured() throws Exception {
    Path path = directory.resolve("profile.json");
    ProfileFile file = new ProfileFile(path);
    file.write(PROFILE);
    String text = Files.readString(path);
    String before = text.replaceFirst("(?s),\\s*\"copies\" : \\{[^}]*\\}", "");
    assertThat(before).isNotEqualTo(text).doesNotContain("copies");

    Files.writeString(path, before);

    Profile.Proven read = file.read(troubles::add).cards().getFirst();
    assertThat(troubles).isEmpty();
    assertThat(read.copies()).isEmpty();
    assertThat(read.encodeSlots()).hasValue(3);
  }

  @Test
  void aDamagedFileIsANoticeAndNoError() throws Exception {
    Path path = directory.resolve("profile.json");
    for (String text :
        List.of(
            "",
            "{",
            "[]",
            "null",
            "{\"format\":\"other 2\"}",
            "{\"format\":\"fairlead-profile 2\"}")) {
      Files.writeString(path, text);
      assertThat(new ProfileFile(path).read(troubles::add)).isEqualTo(Profile.NONE);
    }
    assertThat(troubles).hasSize(6).allMatch(each -> each.contains("'fairlead doctor'"));
  }

  @Test
  void anotherDriverOrFfmpegVoidsWhatWasProven() {
    assertThat(PROFILE.of(KEY)).isPresent();
    for (Profile.Key other :
        List.of(
            new Profile.Key(KEY.pciAddress(), "nvidia 575", KEY.codecs()),
            new Profile.Key(KEY.pciAddress(), KEY.driver(), "8.0.1"))) {
      assertThat(PROFILE.of(other)).isEmpty();
      assertThat(PROFILE.voided(other)).isPresent();
    }
    assertThat(PROFILE.voided(new Profile.Key("0000:99:00.0", "nvidia 575", "8"))).isEmpty();
  }

  private static Finding encode(int height, String fact) {
    return Finding.pass("")
        .with("codec", "av1")
        .with("depth", 8)
        .with(fact, "why")
        .of("encode.nvenc-av1.8bit." + height + "p", "cuda:0");
  }

  @Test
  void aCodecIsProvenOrImpossibleOnlyIfItIsSoAtEverySize() {
    Map<String, Profile.Key> keys = Map.of("cuda:0", KEY);

    assertThat(codecs(List.of(encode(360, "proven"), encode(1080, "proven")), keys))
        .containsExactly(new Profile.Codec("av1", 8, true, ""));
    assertThat(codecs(List.of(encode(360, "impossible"), encode(1080, "impossible")), keys))
        .containsExactly(new Profile.Codec("av1", 8, false, "why"));
    assertThat(codecs(List.of(encode(360, "proven"), encode(1080, "impossible")), keys)).isEmpty();
  }

  private static List<Profile.Codec> codecs(List<Finding> findings, Map<String, Profile.Key> keys) {
    return Proofs.of(findings, keys, Profile.NONE).cards().getFirst().codecs();
  }

  @Test
  void framesStayOnACardAsWasSeenLast() {
    Map<String, Profile.Key> keys = Map.of("cuda:0", KEY);
    Profile proven = Proofs.of(List.of(frames(true)), keys, Profile.NONE);

    assertThat(proven.cards().getFirst().deviceFrames()).isTrue();
    assertThat(Proofs.of(List.of(), keys, proven).cards().getFirst().deviceFrames()).isTrue();
    assertThat(Proofs.of(List.of(frames(false)), keys, proven).cards().getFirst().deviceFrames())
        .isFalse();
  }

  @Test
  void aCardDecodesAsWasSeenLast() {
    Map<String, Profile.Key> keys = Map.of("cuda:0", KEY);
    Profile proven = Proofs.of(List.of(decoded("h264")), keys, Profile.NONE);

    assertThat(proven.cards().getFirst().decodes()).containsExactly("h264");
    assertThat(Proofs.of(List.of(), keys, proven).cards().getFirst().decodes())
        .containsExactly("h264");
    assertThat(Proofs.of(List.of(decoded("")), keys, proven).cards().getFirst().decodes())
        .isEmpty();
  }

  private static Finding decoded(String codec) {
    return Finding.pass("").with("decodes", codec).of("decode.h264", "cuda:0");
  }

  @Test
  void copiesAreAsFastAsWasSeenLast() {
    Map<String, Profile.Key> keys = Map.of("cuda:0", KEY);
    Finding seen =
        Finding.pass("")
            .with("upGigabytesPerSecond", 12.5)
            .with("downGigabytesPerSecond", 6.25)
            .of("copies", "cuda:0");

    Profile proven = Proofs.of(List.of(seen), keys, PROFILE);

    assertThat(proven.cards().getFirst().copies()).contains(new Profile.Copies(12.5, 6.25));
    assertThat(Proofs.of(List.of(), keys, proven).cards().getFirst().copies())
        .contains(new Profile.Copies(12.5, 6.25));
  }

  private static Finding frames(boolean alike) {
    return Finding.pass("").with("deviceFrames", alike).of("frames.device", "cuda:0");
  }

  @Test
  void whatWasNotTriedThisTimeStaysUnlessTheDriverIsAnotherOne() {
    Profile again = Proofs.of(List.of(encode(360, "proven")), Map.of("cuda:0", KEY), PROFILE);
    Profile.Key newer = new Profile.Key(KEY.pciAddress(), "nvidia 620", KEY.codecs());
    Profile anew = Proofs.of(List.of(), Map.of("cuda:0", newer), PROFILE);

    assertThat(again.cards().getFirst().encodeSlots()).hasValue(3);
    assertThat(again.cards().getFirst().codecs())
        .extracting(Profile.Codec::codec, Profile.Codec::proven)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("av1", true),
            org.assertj.core.groups.Tuple.tuple("h264", true));
    assertThat(again.pairs()).isEqualTo(PROFILE.pairs());
    assertThat(anew.cards()).containsExactly(Profile.Proven.of(newer));
  }
}
