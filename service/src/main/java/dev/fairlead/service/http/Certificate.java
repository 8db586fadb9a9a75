package dev.fairlead.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a server, in a PKCS #12 file. A file that has changed is read again with the
 * next connection; one that cannot be read then changes nothing. Thread-safe.
 */
public final class Certificate {
  private final Path file;
  private final char[] password;
  private volatile Read current;

  private record Read(FileTime time, X509ExtendedKeyManager keys) {}

  private Certificate(Path file, char[] password) throws IOException, GeneralSecurityException {
    this.file = file;
    this.password = password.clone();
    this.current = read(file, this.password);
  }

  /**
   * Reads a certificate with its key.
   *
   * @throws IllegalArgumentException if the file is none, or has another password
   */
  public static Certificate open(Path file, char[] password) {
    try {
      return new Certificate(file, password);
    } catch (IOException | GeneralSecurityException | UncheckedIOException wrong) {
      throw new IllegalArgumentException(
          "%s cannot be read as PKCS #12 with this password: %s"
              .formatted(file, wrong.getMessage()),
          wrong);
    }
  }

  private static Read read(Path file, char[] password)
      throws IOException, GeneralSecurityException {
    FileTime time = Files.getLastModifiedTime(file);
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password);
    }
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, password);
    X509ExtendedKeyManager keys =
        Arrays.stream(factory.getKeyManagers())
            .filter(X509ExtendedKeyManager.class::isInstance)
            .map(X509ExtendedKeyManager.class::cast)
            .findFirst()
            .orElseThrow();
    if (keys.getServerAliases("RSA", null) == null && keys.getServerAliases("EC", null) == null) {
      throw new GeneralSecurityException("it holds no key of RSA or EC");
    }
    return new Read(time, keys);
  }

  private X509ExtendedKeyManager keys() {
    try {
      if (!Files.getLastModifiedTime(file).equals(current.time)) {
        current = read(file, password);
      }
    } catch (IOException | GeneralSecurityException | RuntimeException unreadable) {
      return current.keys; // it may be in the making
    }
    return current.keys;
  }

  SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new X509ExtendedKeyManager[] {new Latest()}, null, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Keys as the file has them. A handshake asks for an alias first and for its key after; both are
   * of what was read last, and a handshake between two readings may fail.
   */
  private final class Latest extends X509ExtendedKeyManager {
    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return keys().chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return keys().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return keys().getServerAliases(type, issuers);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return current.keys.getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return current.keys.getPrivateKey(alias);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
