package dev.fairlead.media.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a file could not be read or written, in words for a user: no names of Java's types. */
public final class FileTrouble {
  private static final String NO_SPACE = "No space left on device";
  private static final String OVER_QUOTA = "Disk quota exceeded";

  private FileTrouble() {}

  /** What was tried, with its path, and why that failed. */
  public static String words(UncheckedIOException failure) {
    IOException cause = Objects.requireNonNull(failure.getCause());
    // Java's own message for one that was only wrapped is that of the cause, with its type.
    String tried =
        cause.toString().equals(failure.getMessage()) ? path(cause) : failure.getMessage();
    return tried == null ? words(cause) : "%s: %s".formatted(tried, words(cause));
  }

  /** Why it failed; the path is known where it was tried. */
  public static String words(IOException failure) {
    return switch (failure) {
      case AccessDeniedException _ -> "this may not be written or read";
      case NoSuchFileException _ -> "there is no such file or directory";
      case FileAlreadyExistsException _ -> "something else is there already";
      case NotDirectoryException _ -> "this is no directory";
      case DirectoryNotEmptyException _ -> "this directory is not empty";
      default -> otherwise(failure);
    };
  }

  /** Whether there is no room for more. */
  public static boolean isFull(Throwable failure) {
    String message = failure.getMessage();
    return failure instanceof IOException
        && message != null
        && (message.contains(NO_SPACE) || message.contains(OVER_QUOTA));
  }

  private static String otherwise(IOException failure) {
    if (isFull(failure)) {
      return "no space is left on its disk";
    }
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    if (reason != null) {
      return reason;
    }
    return switch (failure.getCause()) {
      case IOException cause -> words(cause);
      case ReadOnlyFileSystemException _ -> "its disk may only be read";
      case null, default -> "the system does not say why";
    };
  }

  private static @Nullable String path(IOException failure) {
    return failure instanceof FileSystemException file ? file.getFile() : null;
  }
}
