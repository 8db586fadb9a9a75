package dev.fairlead.service.access;

import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a caller shows to be let in. Only the hash of its secret is kept; the secret is 256 drawn
 * bits, so that a plain hash of it cannot be guessed.
 *
 * @param name who or what has it
 * @param tenant whose jobs it submits; empty for the one that each job names
 * @param hash SHA-256 of the secret, in hexadecimal digits
 */
public record Token(String name, Role role, Optional<String> tenant, String hash, Instant created) {
  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public Token {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no name of a token: up to 64 letters, digits, dots, dashes".formatted(name));
    }
    if (role == Role.ANYONE) {
      throw new IllegalArgumentException("A token has the role read, submit or admin");
    }
  }

  /** A token with the secret that is shown once. */
  public record Issued(Token token, String secret) {}

  public static Issued issue(String name, Role role, Optional<String> tenant) {
    byte[] drawn = new byte[SECRET_BYTES];
    RANDOM.nextBytes(drawn);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(drawn);
    return new Issued(new Token(name, role, tenant, hash(secret), Instant.now()), secret);
  }

  /** Whether a secret is this one's; takes as long for a wrong one. */
  boolean isOf(String secret) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), hash(secret).getBytes(StandardCharsets.US_ASCII));
  }

  Caller caller() {
    return new Caller(name, role, tenant);
  }

  static String hash(String secret) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
