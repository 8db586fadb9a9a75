package dev.fairlead.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A host with NVIDIA cards for processes that are started with its environment: doubles of the
 * driver, compiled with gcc from the sources that this program carries. {@code double.h} among
 * these says what each variable means.
 *
 * @param libraries where the compiled doubles are
 */
record NvidiaDoubles(Path libraries) {
  private static final List<String> SOURCES =
      List.of(
          "library.sh",
          "nvidia/bits.h",
          "nvidia/books.c",
          "nvidia/build.sh",
          "nvidia/cards.c",
          "nvidia/cuda.c",
          "nvidia/cuda.h",
          "nvidia/double.h",
          "nvidia/h264.c",
          "nvidia/h264.h",
          "nvidia/memory.c",
          "nvidia/nvdec.c",
          "nvidia/nvenc.c",
          "nvidia/nvenc.h",
          "nvidia/pictures.c",
          "nvidia/scale.c",
          "nvidia/software.c",
          "nvidia/software.h");
  private static final long LONGEST_COMPILATION_SECONDS = 120;

  /** Cards of a speed each, with so many sessions in all. */
  record Host(List<Double> pictureMillis, int sessions, Path books) {
    Host {
      pictureMillis = List.copyOf(pictureMillis);
    }
  }

  /**
   * Compiles the doubles below a directory.
   *
   * @throws IOException if there is no gcc, or it fails
   */
  static NvidiaDoubles compile(Path directory) throws IOException, InterruptedException {
    Path sources = directory.resolve("sources");
    Path nvidia = Files.createDirectories(sources.resolve("nvidia"));
    Path libraries = Files.createDirectories(directory.resolve("libraries"));
    for (String name : SOURCES) {
      try (InputStream source = NvidiaDoubles.class.getResourceAsStream("doubles/" + name)) {
        if (source == null) {
          throw new IOException("This build of Fairlead has no %s of the doubles".formatted(name));
        }
        Files.copy(source, sources.resolve(name));
      }
    }
    Path said = directory.resolve("build.said");
    Process build =
        new ProcessBuilder("sh", nvidia.resolve("build.sh").toString(), libraries.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = build.waitFor(LONGEST_COMPILATION_SECONDS, TimeUnit.SECONDS);
    build.destroyForcibly();
    if (!ended || build.waitFor() != 0) {
      throw new IOException(
          "The doubles of NVIDIA's driver are compiled with gcc; install it (on Debian: apt-get"
              + " install gcc libc6-dev): "
              + Files.readString(said).strip());
    }
    return new NvidiaDoubles(libraries);
  }

  /** What a process has to have in its environment to be on a host. */
  Map<String, String> environment(Host host) {
    List<Double> millis = host.pictureMillis();
    Map<String, String> environment = new TreeMap<>();
    environment.put("LD_LIBRARY_PATH", libraries.toString());
    environment.put("NVIDIA_DOUBLE_BOOKS", host.books().toString());
    environment.put("NVIDIA_DOUBLE_STILL", "1");
    environment.put("NVIDIA_DOUBLE_CARDS", String.valueOf(millis.size()));
    environment.put("NVIDIA_DOUBLE_SESSIONS", String.valueOf(host.sessions()));
    environment.put(
        "NVIDIA_DOUBLE_SPEED",
        IntStream.range(0, millis.size())
            .mapToObj(card -> card + "=" + millis.get(card))
            .collect(Collectors.joining(",")));
    // What is set around this program is about the true cards of the machine.
    environment.put(
        "CUDA_VISIBLE_DEVICES",
        IntStream.range(0, millis.size())
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(",")));
    return environment;
  }
}
