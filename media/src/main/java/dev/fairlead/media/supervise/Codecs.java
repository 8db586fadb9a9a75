package dev.fairlead.media.supervise;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which FFmpeg a worker loads: that of this process's class path, or an older one for drivers that
 * the newer one refuses. Only the worker's class path differs.
 *
 * @param classPath what the worker's JVM is given
 * @param isOlder whether FFmpeg is not the usual one
 */
public record Codecs(String classPath, boolean isOlder) {
  private static final Pattern JAR =
      Pattern.compile("ffmpeg-(\\d[\\d.]*-\\d[\\d.]*)(?:-.*)?\\.jar");

  /** Names a folder with the jars of the older FFmpeg, natives included. */
  public static final String OLDER = "fairlead.ffmpeg.older";

  /** The FFmpeg of this process. */
  public static Codecs usual() {
    return new Codecs(System.getProperty("java.class.path"), false);
  }

  /** The older FFmpeg, if a property of this process names its folder. */
  public static Optional<Codecs> older() {
    String folder = System.getProperty(OLDER, "");
    return folder.isEmpty() ? Optional.empty() : older(Path.of(folder), usual().classPath);
  }

  static Optional<Codecs> older(Path folder, String classPath) {
    List<String> jars;
    try (Stream<Path> files = Files.list(folder)) {
      jars = files.map(Path::toString).filter(Codecs::isFfmpeg).sorted().toList();
    } catch (IOException none) {
      return Optional.empty();
    }
    if (jars.isEmpty()) {
      return Optional.empty();
    }
    Stream<String> rest = entries(classPath).filter(entry -> !isFfmpeg(entry));
    return Optional.of(
        new Codecs(
            Stream.concat(rest, jars.stream()).collect(Collectors.joining(File.pathSeparator)),
            true));
  }

  /** The version of FFmpeg and of its binding, known without loading it: {@code 8.1.2-1.5.14}. */
  public String version() {
    return entries(classPath)
        .map(entry -> JAR.matcher(name(entry)))
        .filter(Matcher::matches)
        .map(jar -> jar.group(1))
        .findFirst()
        .orElse("unknown");
  }

  /** The jars whose content is unpacked, by name. */
  List<String> nativeJars() {
    return entries(classPath)
        .filter(Codecs::isFfmpeg)
        .map(Codecs::name)
        .filter(name -> name.endsWith("64.jar"))
        .sorted()
        .toList();
  }

  private static Stream<String> entries(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator, -1)).filter(entry -> !entry.isEmpty());
  }

  private static boolean isFfmpeg(String entry) {
    String name = name(entry);
    return (name.startsWith("ffmpeg-") || name.startsWith("javacpp-")) && name.endsWith(".jar");
  }

  private static String name(String entry) {
    return Path.of(entry).getFileName().toString();
  }
}
