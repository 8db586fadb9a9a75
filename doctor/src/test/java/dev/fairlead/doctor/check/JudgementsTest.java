package dev.fairlead.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.wire.TrialResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is concluded from what was seen. */
class JudgementsTest {
  private static TrialResult.Encoding seen(
      int packets, boolean key, int decoded, int width, double luma, double chroma) {
    byte[] none = {};
    return new TrialResult.Encoding(
        "8", none, none, packets, key, 1, decoded, width, 360, luma, chroma, 1, 2, 3);
  }

  private static Finding judge(TrialResult.Encoding seen) {
    return EncodeCheck.judge(seen, 60, 640, 360);
  }

  @Test
  void anEncoderPassesOnlyIfEveryPictureComesOutAsItWas() {
    assertThat(judge(seen(60, true, 60, 640, 40, 40)).result()).isEqualTo(Finding.Result.PASS);
    assertThat(judge(seen(59, true, 59, 640, 40, 40)).detail()).contains("59 packets out");
    assertThat(judge(seen(60, false, 60, 640, 40, 40)).detail()).contains("begin with a key");
    assertThat(judge(seen(60, true, 31, 640, 40, 40)).detail()).contains("31 of 60 pictures");
    assertThat(judge(seen(60, true, 60, 642, 40, 40)).detail()).contains("642×360 came out");
    assertThat(judge(seen(60, true, 60, 640, 12, 40)).detail()).contains("brightness 12 dB");
    assertThat(judge(seen(60, true, 60, 640, 40, 9)).detail()).contains("colours 9 dB");
  }

  @Test
  void asManyEncodersAsStillAddSpeedAreEnginesAndOneMoreIsASlot() {
    assertThat(SessionsCheck.engines(List.of(300.0, 310.0, 305.0))).isEqualTo(1);
    assertThat(SessionsCheck.engines(List.of(300.0, 590.0, 600.0))).isEqualTo(2);
    assertThat(SessionsCheck.engines(List.of(300.0, 590.0, 600.0, 580.0, 610.0))).isEqualTo(2);

    assertThat(SessionsCheck.judge(List.of(300.0, 590.0, 600.0), Optional.empty()).facts())
        .containsEntry(SessionsCheck.SLOTS, "3")
        .doesNotContainKey(SessionsCheck.LIMIT);
    TrialResult.Sessions refused = new TrialResult.Sessions(1, "(10)", true, 0);
    assertThat(SessionsCheck.judge(List.of(300.0), Optional.of(refused)).facts())
        .containsEntry(SessionsCheck.SLOTS, "1")
        .containsEntry(SessionsCheck.LIMIT, "1");
  }

  @Test
  void aRefusalForAnotherReasonThanTheLimitIsAFailure() {
    TrialResult.Sessions broken = new TrialResult.Sessions(1, "generic error", false, 0);

    assertThat(SessionsCheck.judge(List.of(300.0), Optional.of(broken)).result())
        .isEqualTo(Finding.Result.FAIL);
    assertThat(SessionsCheck.judge(List.of(), Optional.of(broken)).result())
        .isEqualTo(Finding.Result.FAIL);
  }

  @Test
  void decodedPicturesAreComparedOneByOne() {
    TrialResult.Sum first = new TrialResult.Sum(0, 11);
    TrialResult.Sum second = new TrialResult.Sum(512, 22);
    TrialResult.Decoding soft = new TrialResult.Decoding(List.of(first, second), 1);

    assertThat(DecodeCheck.difference(soft, soft)).isEmpty();
    assertThat(DecodeCheck.difference(soft, new TrialResult.Decoding(List.of(first), 1)))
        .hasValueSatisfying(text -> assertThat(text).contains("1 pictures"));
    assertThat(
            DecodeCheck.difference(
                soft, new TrialResult.Decoding(List.of(first, new TrialResult.Sum(512, 23)), 1)))
        .hasValueSatisfying(text -> assertThat(text).contains("the picture at 512"));
  }
}
