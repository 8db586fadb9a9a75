package dev.fairlead.service.job;

import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An {@code Idempotency-Key}: what makes a submission that is sent again the same one.
 *
 * @param hash of the key and of whose it is
 * @param body hash of what was asked for
 */
record SubmissionKey(String hash, String body) {
  private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

  /**
   * That of a request; empty if it has none.
   *
   * @throws Problem if it cannot be one
   */
  static Optional<SubmissionKey> of(Call call, Submission submission) {
    Optional<String> key = call.headers().value("Idempotency-Key");
    if (key.filter(text -> !FORM.matcher(text).matches()).isPresent()) {
      throw Problem.of(
          Status.BAD_REQUEST, "An Idempotency-Key has 1 to 255 letters, digits and signs");
    }
    return key.map(text ->
        new SubmissionKey(
            sha256((call.caller().name() + " " + text).getBytes(StandardCharsets.UTF_8)),
            sha256(JsonBody.MAPPER.writeValueAsBytes(submission))));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
