package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.service.access.Token;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.http.Certificate;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.webhook.WebhookOptions;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service with a certificate of its own. */
class TlsTest {
  private static final char[] PASSWORD = "not a secret".toCharArray();

  @TempDir Path directory;

  private Path make(String name) throws Exception {
    Path file = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "fairlead",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(keytool.exitValue()).isZero();
    return file;
  }

  /** A client that has seen nothing before, and trusts one certificate. */
  private static HttpClient client(Path trusted) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(trusted)) {
      store.load(in, PASSWORD);
    }
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("it", store.getCertificate("fairlead"));
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest request)
      throws Exception {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String name(HttpResponse<?> answer) throws Exception {
    X509Certificate shown =
        (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
    return shown.getSubjectX500Principal().getName();
  }

  @Test
  void aServiceHasTlsAndReadsItsCertificateAgainWhenTheFileChanges() throws Exception {
    Path file = make("first");
    String secret =
        Tokens.below(directory.resolve("data"))
            .add(Token.issue("page", Role.READ, Optional.empty()));
    ServiceOptions options =
        new ServiceOptions(
            new ServiceOptions.Address(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of(),
                Optional.of(Certificate.open(file, PASSWORD))),
            new ServiceOptions.Storage(
                directory.resolve("data"), List.of(), 0, ServiceOptions.Storage.USUAL_KEEP),
            WebhookOptions.NONE);
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"));
        Service service =
            Service.open(
                options, JobOptions.usual(pool), new Program("test", (_, _) -> {}, List.of()))) {
      assertThat(service.uri().getScheme()).isEqualTo("https");
      HttpRequest health =
          HttpRequest.newBuilder(URI.create(service.uri() + "/v1/health"))
              .timeout(Duration.ofMinutes(1))
              .build();
      try (HttpClient client = client(file)) {
        assertThat(name(send(client, health))).isEqualTo("CN=first");
        HttpRequest session =
            HttpRequest.newBuilder(URI.create(service.uri() + "/v1/session"))
                .timeout(Duration.ofMinutes(1))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"" + secret + "\"}"))
                .build();
        assertThat(send(client, session).headers().firstValue("Set-Cookie").orElseThrow())
            .endsWith("; Secure");
      }

      Path second = make("second");
      Files.writeString(file, "half of a file");
      try (HttpClient client = client(second)) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> send(client, health))
            .isInstanceOf(java.io.IOException.class); // it still shows the first one
      }
      Files.copy(second, file, StandardCopyOption.REPLACE_EXISTING);
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
      try (HttpClient client = client(second)) {
        assertThat(name(send(client, health))).isEqualTo("CN=second");
      }
    }
  }

  @Test
  void aFileThatIsNoCertificateOrHasAnotherPasswordIsRefused() throws Exception {
    Path file = make("one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Certificate.open(file, "x".toCharArray()))
        .withMessageContaining("one.p12");
    Path none = Files.writeString(directory.resolve("none.p12"), "none");
    assertThatIllegalArgumentException().isThrownBy(() -> Certificate.open(none, PASSWORD));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Certificate.open(directory.resolve("absent.p12"), PASSWORD));
  }
}
