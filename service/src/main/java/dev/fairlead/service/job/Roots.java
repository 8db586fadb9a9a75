package dev.fairlead.service.job;

import dev.fairlead.service.http.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories below which clients may name files. A path counts by where it really is: a
 * symbolic link out of a root leads nowhere.
 */
public final class Roots {
  private final List<Path> roots;

  /**
   * Roots that exist.
   *
   * @throws IOException if one does not
   */
  public Roots(List<Path> roots) throws IOException {
    List<Path> real = new ArrayList<>();
    for (Path root : roots) {
      real.add(root.toRealPath());
    }
    this.roots = List.copyOf(real);
  }

  /**
   * A file that can be read.
   *
   * @param pointer of the field that names it
   * @throws Problem if it is not below a root, or no file
   */
  Path input(String path, String pointer) {
    Path real = real(parse(path, pointer), pointer);
    if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
      throw Problem.flaw(pointer, "%s is no file".formatted(path));
    }
    return real;
  }

  /**
   * A directory that may be made; what is there of it is below a root.
   *
   * @throws Problem if it is not
   */
  Path output(String path, String pointer) {
    Path wanted = parse(path, pointer);
    Path there = wanted;
    while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (there == null) {
      throw outside(pointer);
    }
    Path real = real(there, pointer);
    if (!Files.isDirectory(real)) {
      throw Problem.flaw(pointer, "%s is no directory".formatted(path));
    }
    if (roots.contains(real) && there.equals(wanted)) {
      throw Problem.flaw(pointer, "An output is a directory below a root, not the root itself");
    }
    return real.resolve(there.relativize(wanted));
  }

  /** Whether a path that is real is below one of them. */
  boolean hold(Path real) {
    return roots.stream().anyMatch(root -> real.startsWith(root) && !real.equals(root));
  }

  /** Absolute, or below the first root that fits; without steps upward. */
  private Path parse(String path, String pointer) {
    Path parsed;
    try {
      parsed = Path.of(path);
    } catch (InvalidPathException malformed) {
      throw Problem.flaw(pointer, "This is no path");
    }
    if (path.isBlank() || hasSteps(parsed)) {
      throw Problem.flaw(pointer, "A path is to be without . and ..");
    }
    if (roots.isEmpty()) {
      throw Problem.flaw(
          pointer, "This server has no root (--root), so no file can be named; send it instead");
    }
    if (parsed.isAbsolute()) {
      return parsed;
    }
    return roots.stream()
        .map(root -> root.resolve(parsed))
        .filter(Files::exists)
        .findFirst()
        .orElse(roots.getFirst().resolve(parsed));
  }

  private static boolean hasSteps(Path path) {
    for (Path name : path) {
      if (name.toString().equals(".") || name.toString().equals("..")) {
        return true;
      }
    }
    return false;
  }

  private Path real(Path path, String pointer) {
    try {
      Path real = path.toRealPath();
      if (roots.stream().anyMatch(real::startsWith)) {
        return real;
      }
    } catch (IOException absent) {
      if (roots.stream().anyMatch(path::startsWith)) {
        throw Problem.flaw(pointer, "There is no such file below a root");
      }
    }
    throw outside(pointer);
  }

  /** The same words whether or not something is there: paths outside are nobody's to explore. */
  private static Problem outside(String pointer) {
    return Problem.flaw(pointer, "The path is not below a root of this server");
  }
}
