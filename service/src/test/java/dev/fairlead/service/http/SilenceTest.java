package dev.fairlead.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that stop in the midst of something: the server lets go of them, and answers others. */
@Timeout(60)
class SilenceTest {
  private static final Gate OPEN =
      new Gate() {
        @Override
        public Caller caller(Credentials credentials) {
          return new Caller("anyone", Role.ADMIN, Optional.empty());
        }

        @Override
        public boolean knows(String host) {
          return true;
        }

        @Override
        public boolean trusts(String origin, String host) {
          return true;
        }
      };

  /** A body. */
  record Thing(String name) {}

  private final CountDownLatch letGo = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Socket> sockets = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void open() {
    server =
        HttpServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            new Routes(
                List.of(
                    Route.get("/wait", Role.READ, "", Void.class, _ -> waiting())
                        .ofType("text/plain"),
                    Route.get("/thing", Role.READ, "", Void.class, _ -> Answer.none()),
                    Route.get("/flood", Role.READ, "", Void.class, _ -> flood())
                        .ofType("text/plain"),
                    Route.of(
                        Route.Method.POST,
                        "/thing",
                        Role.READ,
                        "",
                        Thing.class,
                        Thing.class,
                        call -> Answer.json(call.body(Thing.class))))),
            OPEN,
            (_, mistake) -> {
              throw new AssertionError(mistake);
            },
            Duration.ofMillis(500));
  }

  /** Begins, and goes on for as long as the test. */
  private Answer waiting() {
    return new Answer.Stream(
        "text/plain",
        out -> {
          out.write('.');
          out.flush();
          over.await();
        });
  }

  /** Writes more than any connection holds, until its client is given up. */
  private Answer flood() {
    return new Answer.Stream(
        "text/plain",
        out -> {
          byte[] much = new byte[1 << 16];
          try {
            while (true) {
              out.write(much);
              out.flush();
            }
          } catch (IOException given) {
            letGo.countDown();
            throw given;
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    over.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    sockets.add(socket);
    socket.setSoTimeout(30_000);
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    return socket;
  }

  /** All that comes until the server closes the connection. */
  private static String rest(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private void assertAnswers() throws IOException {
    assertThat(rest(send("GET /thing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")))
        .startsWith("HTTP/1.1 204");
  }

  @Test
  void aConnectionThatSaysNothingOrHalfARequestIsClosed() throws Exception {
    Socket nothing = send("");
    Socket half = send("GET /thing HTTP/1.1\r\nHost: x\r\nX-A");
    assertAnswers();
    rest(nothing);
    rest(half);
    assertAnswers();
  }

  @Test
  void aBodyThatStopsIsGivenUp() throws Exception {
    Socket slow =
        send(
            "POST /thing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1000\r\n\r\n{\"name\":");
    assertAnswers();
    assertThat(rest(slow)).startsWith("HTTP/1.1 408");
  }

  @Test
  void manyClientsThatFollowSomethingLeaveRoomForOthers() throws Exception {
    for (int client = 0; client < 300; client++) {
      Socket follows = send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(follows.getInputStream().read()).isEqualTo('H');
    }
    assertAnswers();
  }

  @Test
  void aClientThatStopsReadingIsGivenUp() throws Exception {
    send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n");
    assertAnswers();
    assertThat(letGo.await(30, TimeUnit.SECONDS)).isTrue();
    assertAnswers();
  }
}
