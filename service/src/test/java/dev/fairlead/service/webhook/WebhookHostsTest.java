package dev.fairlead.service.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookHostsTest {
  private static final WebhookHosts HOSTS =
      WebhookHosts.parse(List.of("Hooks.example.org", "10.0.0.5:9000", "[::1]:8443"), false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://hooks.example.org/a",
        "HTTPS://HOOKS.example.org/a?b=c",
        "https://hooks.example.org:443",
        "http://10.0.0.5:9000/",
        "https://[::1]:8443/x"
      })
  void whatIsNamedIsTold(String url) {
    assertThat(HOSTS.read(url)).isEqualTo(URI.create(url));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://other.example.org/",
        "http://hooks.example.org:8080/",
        "http://hooks.example.org.evil.org/",
        "http://hooks.example.org@evil.org/",
        "http://user:secret@hooks.example.org/",
        "http://hooks.example.org/#part",
        "http://10.0.0.5/",
        "ftp://hooks.example.org/",
        "file:///etc/passwd",
        "//hooks.example.org/",
        "hooks.example.org",
        "http:///path",
        "http://hooks.example.org/ x",
        "http://hooks.example.org/\r\nX: y",
        ""
      })
  void whatIsNotNamedIsRefused(String url) {
    assertThatThrownBy(() -> HOSTS.read(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ebhook");
  }

  @Test
  void aUrlThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> HOSTS.read("http://hooks.example.org/" + "a".repeat(2_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://a", "a:b", "a:70000", "a/b", "a b"})
  void whatIsNoHostIsSaid(String host) {
    assertThatThrownBy(() -> WebhookHosts.parse(List.of(host), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no host");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "0.1.2.3",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fd00::1",
        "::",
        "::ffff:10.0.0.1"
      })
  void privateAddressesAreKnown(String address) throws Exception {
    assertThat(WebhookHosts.isPrivate(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "100.128.0.1", "172.32.0.1", "8.8.8.8", "2001:db8::1"})
  void othersAreNot(String address) throws Exception {
    assertThat(WebhookHosts.isPrivate(InetAddress.getByName(address))).isFalse();
  }

  /** The machine's own name leads to an address of its own, which no other machine sees. */
  @Test
  void aNameThatLeadsIntoAPrivateNetworkIsRefusedUnlessAllowed() throws Exception {
    String name = InetAddress.getLocalHost().getHostName();
    URI uri = URI.create("http://%s:9/".formatted(name));
    assertThat(WebhookHosts.isPrivate(InetAddress.getByName(name))).isTrue();
    assertThatThrownBy(() -> WebhookHosts.parse(List.of(name + ":9"), false).address(uri))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("private network");
    assertThat(WebhookHosts.parse(List.of(name + ":9"), true).address(uri))
        .isEqualTo(InetAddress.getAllByName(name)[0]);
    assertThat(HOSTS.address(URI.create("http://10.0.0.5:9000/")))
        .isEqualTo(InetAddress.getByName("10.0.0.5"));
  }
}
