package dev.fairlead.service.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Gate;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeRoutesTest {
  @TempDir Path root;

  private static Call call() {
    byte[] body = "{\"input\":\"a.mp4\"}".getBytes(StandardCharsets.UTF_8);
    return new Call(
        new Call.Sender(
            new Caller("local", Role.ADMIN, Optional.empty()),
            new Gate.Credentials(
                InetAddress.getLoopbackAddress(), false, Optional.empty(), Optional.empty())),
        Map.of(),
        Map.of(),
        name -> name.equals("Content-Type") ? Optional.of("application/json") : Optional.empty(),
        () -> new ByteArrayInputStream(body));
  }

  @Test
  void looksIntoTwoSourcesAtATime() throws Exception {
    Files.createFile(root.resolve("a.mp4"));
    Semaphore begun = new Semaphore(0);
    CountDownLatch goOn = new CountDownLatch(1);
    Route route =
        new ProbeRoutes(
                new Roots(List.of(root)),
                _ -> {
                  begun.release();
                  goOn.await();
                  throw new TranscodeException.Unreadable("it is empty");
                })
            .all()
            .getFirst();
    List<Thread> two =
        List.of(
            Thread.ofVirtual().start(() -> refusal(route)),
            Thread.ofVirtual().start(() -> refusal(route)));
    assertThat(begun.tryAcquire(2, 1, TimeUnit.MINUTES)).isTrue();
    Problem third = refusal(route);
    assertThat(third.details().status()).isEqualTo(429);
    assertThat(third.headers()).containsKey("Retry-After");
    goOn.countDown();
    for (Thread each : two) {
      each.join();
    }
    assertThat(refusal(route).details().errors().getFirst().detail()).isEqualTo("it is empty");
  }

  private static Problem refusal(Route route) {
    Problem[] refused = new Problem[1];
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> route.work().answer(call()))
        .satisfies(problem -> refused[0] = problem);
    return refused[0];
  }
}
