package dev.fairlead.service.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** By which a receiver knows that a delivery is this service's, and when it was sent. */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /** The value of the header: {@code t=SECONDS,v1=HEX}, over the time and the body. */
  static String of(String secret, Instant time, String body) {
    long seconds = time.getEpochSecond();
    return "t=%d,v1=%s".formatted(seconds, hash(secret, seconds + "." + body));
  }

  private static String hash(String secret, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing); // every JDK has it
    }
  }
}
