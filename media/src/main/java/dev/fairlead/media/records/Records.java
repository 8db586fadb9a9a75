package dev.fairlead.media.records;

import java.util.List;
import java.util.Optional;

/**
 * Entries that are written once and never changed, each under a name such as {@code
 * jobs/01ABC/000003}. What changes is which entries there are: a record that changes is a log of
 * them. Several processes may use one store at once. Thread-safe.
 *
 * <p>Stores may be asked for these four things only, so that a directory and an object store can
 * both be one. Whatever a method has answered is true after a power loss, too.
 */
public interface Records {
  /** Whose entry has a name. */
  enum Owner {
    /** The caller's, who has just created it. */
    MINE,
    /** Another's: the name was there before. */
    THEIRS
  }

  /**
   * Creates an entry unless its name is there.
   *
   * @throws Gone if the log that it belongs to was deleted, or never begun
   */
  Owner create(String name, byte[] content);

  /** The content of an entry, whole; empty if there is none. */
  Optional<byte[]> read(String name);

  /** The names of all entries of a log and of logs below it, in their order. */
  List<String> list(String log);

  /** Deletes an entry, if it is there; a log without entries is gone, and stays so. */
  void delete(String name);

  /** A log is not there any more. */
  final class Gone extends RuntimeException {
    private static final long serialVersionUID = 1;

    Gone(String log) {
      super(log + " is not there any more");
    }
  }
}
