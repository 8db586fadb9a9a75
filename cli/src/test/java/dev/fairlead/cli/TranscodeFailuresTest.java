package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a user is shown when a transcode fails, and what a script sees. */
class TranscodeFailuresTest {
  @Test
  void eachReasonHasItsExitCode() {
    assertThat(
            List.of(
                new TranscodeException.BadRequest("x"),
                new TranscodeException.TooLarge("x", true),
                new TranscodeException.TooLarge("x", false),
                new TranscodeException.Unreadable("x"),
                new TranscodeException.NoCapableDevice("x"),
                new TranscodeException.GaveUp("x"),
                new TranscodeException.Storage("x", Remedy.SAME_REQUEST),
                new TranscodeException.Cancelled()))
        .extracting(TranscodeFailures::exitCode)
        .containsExactly(2, 2, 3, 3, 4, 5, 6, 130);
  }

  @Test
  void remediesNameTheOptionsOfTheCommandAndNotOfTheLibrary() {
    assertThat(TranscodeFailures.message(new TranscodeException.Cancelled()))
        .isEqualTo("Cancelled; the same command goes on from here");
    assertThat(
            TranscodeFailures.message(
                new TranscodeException.BadRequest("out holds another job", Remedy.OTHER_OUTPUT)))
        .isEqualTo("out holds another job. Choose another output, or --restart");
    assertThat(TranscodeFailures.message(new TranscodeException.TooLarge("Too large", false)))
        .isEqualTo(
            "Too large; allow more by --memory, or choose smaller rungs (--ladder) or fewer frames"
                + " a second (--max-fps)");
    assertThat(TranscodeFailures.message(new TranscodeException.Unreadable("No video")))
        .isEqualTo("No video");
    for (Remedy remedy : Remedy.values()) {
      assertThat(remedy.toString()).doesNotContain("--");
    }
  }
}
