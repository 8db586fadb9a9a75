package dev.fairlead.service.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Bytes sent as they are, for requests that no client would make. */
final class RawRequest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int MOST_BYTES = 1 << 20;

  private RawRequest() {}

  /**
   * What is answered.
   *
   * @param status 0 if the connection is closed without one
   * @param contentType empty if there is none
   */
  record Answer(int status, String contentType, String body) {
    private static Answer of(String text) {
      if (!text.startsWith("HTTP/1.1 ")) {
        return new Answer(0, "", "");
      }
      int end = text.indexOf("\r\n\r\n");
      String head = end < 0 ? text : text.substring(0, end);
      String type =
          head.lines()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-type:"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse("");
      return new Answer(
          Integer.parseInt(text.substring(9, 12)), type, end < 0 ? "" : text.substring(end + 4));
    }
  }

  /** The status that is answered; 0 if the connection is closed without one. */
  static int status(URI server, String text) throws IOException {
    return answer(server, text.getBytes(StandardCharsets.ISO_8859_1)).status;
  }

  /** What is answered to a request after which the connection is to be closed. */
  static Answer answer(URI server, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return Answer.of(
          new String(socket.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
    }
  }
}
