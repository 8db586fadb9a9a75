package dev.fairlead.service.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Bytes sent as they are, for requests that no client would make. */
final class RawRequest {
  private static final int PATIENCE_MILLIS = 20_000;

  private RawRequest() {}

  /** The status that is answered; 0 if the connection is closed without one. */
  static int status(URI server, String text) throws IOException {
    return status(server, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static int status(URI server, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
      return line.startsWith("HTTP/1.1 ") ? Integer.parseInt(line.substring(9, 12)) : 0;
    }
  }
}
