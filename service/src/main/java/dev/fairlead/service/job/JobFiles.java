package dev.fairlead.service.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Removes what a job has written: all of an output that the server keeps, and below a root, where
 * the package is its owner's, the store alone. What is elsewhere stays, and so does what a symbolic
 * link leads to.
 */
final class JobFiles {
  private static final String STORE = ".fairlead";

  private final Path packages;
  private final Roots roots;

  JobFiles(Path packages, Roots roots) {
    this.packages = packages;
    this.roots = roots;
  }

  void remove(Path output) {
    try {
      if (!Files.isDirectory(output, LinkOption.NOFOLLOW_LINKS)
          || !output.toRealPath().equals(output.toAbsolutePath().normalize())) {
        return;
      }
      if (packages.equals(output.getParent())) {
        removeTree(output);
      } else if (roots.hold(output)) {
        removeTree(output.resolve(STORE));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("%s cannot be removed".formatted(output), failure);
    }
  }

  private static void removeTree(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
