package dev.fairlead.service.access;

import dev.fairlead.service.http.JsonBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * The tokens of a server, in a file that a command changes while the server runs: it is read again
 * when its time has changed. A file that cannot be read lets nobody in. Thread-safe.
 */
public final class Tokens {
  private static final String FILE = "tokens.json";

  /** What the file holds. */
  private record Content(int version, List<Token> tokens) {
    static final int VERSION = 1;
  }

  private record Known(Optional<FileTime> time, List<Token> tokens) {}

  private final Path file;
  private volatile Known known = new Known(Optional.empty(), List.of());

  private Tokens(Path file) {
    this.file = file;
  }

  /** Those of a data directory; there need not be any. */
  public static Tokens below(Path directory) {
    return new Tokens(directory.resolve(FILE));
  }

  public List<Token> all() {
    Optional<FileTime> time = time();
    if (!known.time.equals(time)) {
      known = new Known(time, read());
    }
    return known.tokens;
  }

  public Optional<Token> find(String secret) {
    return all().stream().filter(token -> token.isOf(secret)).findFirst();
  }

  /**
   * Adds a token.
   *
   * @return the secret, which is kept nowhere
   * @throws IllegalArgumentException if there is one of that name
   */
  public String add(Token.Issued issued) {
    List<Token> more = new ArrayList<>(read());
    if (more.stream().anyMatch(each -> each.name().equals(issued.token().name()))) {
      throw new IllegalArgumentException(
          "There is a token \"%s\" already; remove it first".formatted(issued.token().name()));
    }
    more.add(issued.token());
    write(more);
    return issued.secret();
  }

  /** Removes a token; false if there was none of that name. */
  public boolean remove(String name) {
    List<Token> fewer = new ArrayList<>(read());
    boolean there = fewer.removeIf(each -> each.name().equals(name));
    if (there) {
      write(fewer);
    }
    return there;
  }

  private Optional<FileTime> time() {
    try {
      return Optional.of(Files.getLastModifiedTime(file));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private List<Token> read() {
    try {
      Content content = JsonBody.MAPPER.readValue(Files.readAllBytes(file), Content.class);
      if (content.version > Content.VERSION) {
        throw new IllegalStateException(
            "%s was written by a newer Fairlead (version %d)".formatted(file, content.version));
      }
      return List.copyOf(content.tokens);
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (JacksonException damaged) {
      throw new IllegalStateException("%s is damaged".formatted(file), damaged);
    }
  }

  /** Whole or not at all; for its owner's eyes only. */
  private void write(List<Token> tokens) {
    Path draft = file.resolveSibling(FILE + ".new");
    try {
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(draft);
      Files.createFile(
          draft,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(
          draft,
          JsonBody.MAPPER.writeValueAsBytes(new Content(Content.VERSION, tokens)),
          StandardOpenOption.SYNC);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
