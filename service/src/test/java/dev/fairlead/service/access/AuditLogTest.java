package dev.fairlead.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Caller;
import dev.fairlead.service.http.Gate;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final long MOST = 600;

  @TempDir Path directory;
  private final List<IOException> failures = new ArrayList<>();

  private Route route(Route.Work work) {
    return new AuditLog(directory, MOST, failures::add)
        .around(
            List.of(
                Route.of(
                    Route.Method.PUT,
                    "/v1/things/{id}/{path...}",
                    Role.ADMIN,
                    "Change a thing",
                    Void.class,
                    Void.class,
                    work)))
        .getFirst();
  }

  private static Call call(String id) {
    return new Call(
        new Call.Sender(
            new Caller("anna", Role.ADMIN, Optional.empty()),
            new Gate.Credentials(
                InetAddress.getLoopbackAddress(), false, Optional.empty(), Optional.empty())),
        Map.of("id", id, "path", "a/b"),
        Map.of(),
        _ -> Optional.empty(),
        InputStream::nullInputStream);
  }

  @Test
  void aLineSaysWhoHasDoneWhatAndWhatBecameOfIt() throws Exception {
    route(_ -> Answer.none()).work().answer(call("{path}\n"));
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() ->
            route(
                    _ -> {
                      throw Problem.of(Status.CONFLICT, "no");
                    })
                .work()
                .answer(call("x")));
    Path file = directory.resolve("audit.log");
    assertThat(Files.readAllLines(file))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(
                        "\"who\":\"anna\"",
                        "\"what\":\"PUT /v1/things/{path}\\n/a/b\"",
                        "\"status\":204"),
            line -> assertThat(line).contains("PUT /v1/things/x/a/b", "\"status\":409"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void itTakesNoMoreRoomThanTwoFiles() throws Exception {
    Route route = route(_ -> Answer.none());
    for (int each = 0; each < 50; each++) {
      route.work().answer(call("thing" + each));
    }
    Path now = directory.resolve("audit.log");
    Path before = directory.resolve("audit.log.1");
    assertThat(Files.size(now)).isLessThanOrEqualTo(MOST);
    assertThat(Files.size(before)).isLessThanOrEqualTo(MOST);
    assertThat(Files.readString(now)).contains("thing49");
    assertThat(failures).isEmpty();
  }

  @Test
  void whatCannotBeWrittenIsToldAndDoneAllTheSame() throws Exception {
    Files.delete(directory);
    assertThat(route(_ -> Answer.none()).work().answer(call("a"))).isEqualTo(Answer.none());
    Files.createDirectory(directory);
    assertThat(failures).hasSize(1);
  }
}
