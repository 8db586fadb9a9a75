package dev.fairlead.service.webhook;

import dev.fairlead.service.http.Watch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One POST to one address, of whose answer only the status is read. Java's own client looks the
 * name up by itself and could come to another address than the one that was checked.
 */
final class WebhookPost {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int LONGEST_LINE = 8 << 10;
  private static final int MOST_LINES = 200;
  private static final int FIRST_FINAL = 200;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");

  private WebhookPost() {}

  /**
   * Sends; gives the status of the answer.
   *
   * @throws IOException if none comes within ten seconds
   */
  static int send(InetAddress address, URI uri, Map<String, String> headers, byte[] body)
      throws IOException {
    try (Socket plain = new Socket();
        Watch _ = Watch.of(plain, DEADLINE)) {
      plain.connect(
          new InetSocketAddress(address, WebhookHosts.port(uri)), (int) DEADLINE.toMillis());
      try (Socket socket = WebhookHosts.isSecure(uri) ? secured(plain, uri) : plain) {
        OutputStream out = socket.getOutputStream();
        out.write(head(uri, headers, body.length).getBytes(StandardCharsets.ISO_8859_1));
        out.write(body);
        out.flush();
        return status(socket.getInputStream());
      }
    }
  }

  private static Socket secured(Socket plain, URI uri) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket socket =
        (SSLSocket) factory.createSocket(plain, uri.getHost(), WebhookHosts.port(uri), true);
    SSLParameters rules = socket.getSSLParameters();
    rules.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate is that of the name
    socket.setSSLParameters(rules);
    socket.startHandshake();
    return socket;
  }

  private static String head(URI uri, Map<String, String> headers, int bytes) {
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    StringBuilder head = new StringBuilder("POST %s%s HTTP/1.1\r\n".formatted(path, query));
    head.append("Host: ").append(uri.getRawAuthority()).append("\r\n");
    headers.forEach((name, value) -> head.append("%s: %s\r\n".formatted(name, value)));
    head.append("Content-Length: %d\r\nConnection: close\r\n\r\n".formatted(bytes));
    return head.toString();
  }

  /** The status of the first answer that is final; one hundreds announce it. */
  private static int status(InputStream in) throws IOException {
    boolean begins = true;
    for (int lines = 0; lines < MOST_LINES; lines++) {
      String line = line(in);
      if (begins) {
        Matcher match = STATUS.matcher(line);
        if (!match.matches()) {
          throw new IOException("what came is no answer of HTTP");
        }
        int status = Integer.parseInt(match.group(1));
        if (status >= FIRST_FINAL) {
          return status;
        }
      }
      begins = line.isEmpty();
    }
    throw new IOException("what came has no end");
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new IOException("the connection was closed without an answer");
      }
      if (line.length() == LONGEST_LINE) {
        throw new IOException("what came is too long");
      }
      line.append((char) each);
    }
    int last = line.length() - 1;
    return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
  }
}
