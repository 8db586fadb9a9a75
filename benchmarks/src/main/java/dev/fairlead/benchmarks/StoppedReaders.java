package dev.fairlead.benchmarks;

import dev.fairlead.service.client.ServiceAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that ask for events that the service still has, more than fit into the buffers between
 * both, and then read nothing.
 */
final class StoppedReaders implements AutoCloseable {
  private static final int SMALL = 4096;

  private final List<Socket> sockets = new ArrayList<>();

  private StoppedReaders() {}

  static StoppedReaders open(ServiceAddress address, int clients, String after) throws IOException {
    StoppedReaders all = new StoppedReaders();
    String host = address.base().getHost();
    int port = address.base().getPort();
    for (int client = 0; client < clients; client++) {
      Socket socket = new Socket();
      all.sockets.add(socket);
      socket.setReceiveBufferSize(SMALL);
      socket.connect(new InetSocketAddress(host, port));
      socket
          .getOutputStream()
          .write(
              "GET /v1/events HTTP/1.1\r\nHost: %s:%d\r\nLast-Event-ID: %s\r\n\r\n"
                  .formatted(host, port, after)
                  .getBytes(StandardCharsets.US_ASCII));
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
