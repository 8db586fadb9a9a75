package dev.fairlead.media.supervise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The folder into which the libraries are unpacked. A worker that reads media must not write there,
 * since others load what is in it; so a process that reads none unpacks them, once.
 */
final class CodecCache {
  static final String PROPERTY = "org.bytedeco.javacpp.cachedir";

  /** The class that unpacks: known by name only, since it loads codecs. */
  static final String UNPACKING = "dev.fairlead.media.worker.CodecUnpacking";

  private static final int TO_UNPACK_SECONDS = 120;

  private CodecCache() {}

  /** The folder, with everything in it. */
  static Path ready(Codecs codecs, Path log) throws IOException {
    Path folder = folder();
    List<String> jars = codecs.nativeJars();
    if (!isUnpacked(folder, jars)) {
      unpack(codecs, folder, log);
      Files.write(marker(folder, jars), jars);
    }
    return folder;
  }

  private static Path marker(Path folder, List<String> jars) {
    return folder.resolve(".fairlead-" + Integer.toHexString(jars.hashCode()));
  }

  /** Whether all was unpacked, and is still there. */
  static boolean isUnpacked(Path folder, List<String> jars) {
    return Files.exists(marker(folder, jars))
        && jars.stream().allMatch(jar -> Files.isDirectory(folder.resolve(jar)));
  }

  /** Where JavaCPP would put it, if this user may write there. */
  private static Path folder() throws IOException {
    String named = System.getProperty(PROPERTY);
    List<Path> candidates =
        named != null
            ? List.of(Path.of(named))
            : List.of(
                Path.of(System.getProperty("user.home"), ".javacpp", "cache"),
                Path.of(
                    System.getProperty("java.io.tmpdir"),
                    ".javacpp-" + System.getProperty("user.name"),
                    "cache"));
    IOException last = null;
    for (Path candidate : candidates) {
      try {
        Path folder = Files.createDirectories(candidate.toAbsolutePath());
        if (Files.isWritable(folder)) {
          return folder;
        }
      } catch (IOException unusable) {
        last = unusable;
      }
    }
    throw new IOException(
        "The codecs cannot be unpacked: %s cannot be written; -D%s=DIR names another folder"
            .formatted(candidates.getLast(), PROPERTY),
        last);
  }

  private static void unpack(Codecs codecs, Path folder, Path log) throws IOException {
    Process process =
        WorkerJvm.start(
            List.of(UNPACKING), codecs, log, folder, Confinement.to(List.of(), List.of(folder)));
    try {
      if (!process.waitFor(TO_UNPACK_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("The codecs could not be unpacked in time, see " + log);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while codecs were unpacked", interrupted);
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "The codecs could not be unpacked into %s, see %s".formatted(folder, log));
    }
  }
}
