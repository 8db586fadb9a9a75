package dev.fairlead.service.job;

import dev.fairlead.service.file.FileEnds;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The route by which a client learns whether the server sees a file of its own at the same path, so
 * that it need not send it.
 *
 * <p>It answers yes only to who knows the file's size and both its ends. No is one answer for all
 * else: another file, none, a path outside of the roots. So it tells nothing of a file that a
 * client does not have.
 */
public final class InputRoutes {
  private final Roots roots;

  /** A file as a client has it. */
  public record InputCheck(Optional<String> path, Optional<FileEnds> ends) {}

  /** Whether the server sees the same. */
  public record InputSeen(boolean seen) {}

  public InputRoutes(Roots roots) {
    this.roots = roots;
  }

  public List<Route> all() {
    return List.of(
        Route.of(
            Route.Method.POST,
            "/v1/inputs/check",
            Role.SUBMIT,
            "Whether the server sees the same file, by its size and the SHA-256 of its first and last MiB",
            InputCheck.class,
            InputSeen.class,
            this::check));
  }

  private Answer check(Call call) {
    InputCheck asked = call.body(InputCheck.class);
    String path = asked.path().orElseThrow(() -> Problem.flaw("/path", "A path is missing"));
    FileEnds ends = asked.ends().orElseThrow(() -> Problem.flaw("/ends", "The ends are missing"));
    return Answer.json(new InputSeen(isSame(path, ends)));
  }

  private boolean isSame(String path, FileEnds ends) {
    try {
      return FileEnds.of(roots.input(path, "/path")).equals(ends);
    } catch (Problem | IOException unseen) {
      return false;
    }
  }
}
