package dev.fairlead.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.doctor.host.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A machine with cards that are not there: files that a kernel would show, a double of the driver
 * that computes, and doubles of those that FFmpeg loads. The processes that are to be on it get its
 * {@link #environment}; where its files and the first double are is a matter of system properties.
 *
 * @param root of its files
 */
public record TestingMachine(Path root, Map<String, String> environment) {
  private static final Path CUDA = Path.of("../backends/cuda/src/test/c");
  private static final List<Path> BOOKS = new CopyOnWriteArrayList<>();
  private static final Path FFMPEG = Path.of("../media/src/test/c/nvidia");

  public TestingMachine {
    environment = Map.copyOf(environment);
  }

  /** A machine without a card. */
  public static TestingMachine bare(Path root) throws IOException {
    write(root.resolve("proc/sys/kernel/osrelease"), "6.1.0-18-amd64");
    return new TestingMachine(root, Map.of());
  }

  /** One with so many sound cards of NVIDIA, under a driver of that version. */
  public static TestingMachine nvidia(Path root, int cards, String driver) throws IOException {
    TestingMachine machine = bare(root);
    for (int i = 0; i < cards; i++) {
      machine.card("0000:%02x:00.0".formatted(0x3b + i), "0x10de", "nvidia");
      write(root.resolve("dev/nvidia" + i), "");
    }
    write(root.resolve("etc/OpenCL/vendors/pocl.icd"), "libpocl.so.2\n");
    write(root.resolve("dev/nvidiactl"), "");
    write(root.resolve("dev/nvidia-uvm"), "");
    write(root.resolve("sys/module/nvidia/version"), driver + "\n");
    return machine
        .with("FAIRLEAD_DOUBLE_DEVICES", String.valueOf(cards))
        .with("NVIDIA_DOUBLE_CARDS", String.valueOf(cards))
        .with("CUDA_VISIBLE_DEVICES", "0,1,2,3,4,5,6,7")
        .with("NVIDIA_DOUBLE_BOOKS", books().toString())
        .with("LD_LIBRARY_PATH", Doubles.FFMPEG_FOLDER.toString());
  }

  /** Where all processes of a host count their sessions; a confined worker can write there. */
  private static Path books() throws IOException {
    Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "fairlead-doctor");
    BOOKS.add(folder);
    return folder;
  }

  /** One more card on the bus. */
  public TestingMachine card(String address, String vendor, String driver) throws IOException {
    Path card = root.resolve("sys/bus/pci/devices/" + address);
    write(card.resolve("vendor"), vendor + "\n");
    write(card.resolve("class"), "0x030000\n");
    if (!driver.isEmpty()) {
      Path drivers = Files.createDirectories(root.resolve("sys/bus/pci/drivers/" + driver));
      Files.createSymbolicLink(card.resolve("driver"), drivers);
    }
    return this;
  }

  /** A render node of a card. */
  public TestingMachine node(String address, String name) throws IOException {
    Files.createDirectories(root.resolve("sys/bus/pci/devices/" + address + "/drm/" + name));
    write(root.resolve("dev/dri/" + name), "");
    return this;
  }

  public TestingMachine with(String variable, String value) {
    Map<String, String> more = new TreeMap<>(environment);
    more.put(variable, value);
    return new TestingMachine(root, more);
  }

  public static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Makes this the machine that processes look at, until {@link #restore}. */
  public void use() {
    System.setProperty(Machine.ROOT, root.toString());
    System.setProperty("fairlead.cuda.library", Doubles.CUDA_LIBRARY.toString());
    System.setProperty("fairlead.nvml.library", Doubles.CUDA_LIBRARY.toString());
  }

  public static void restore() {
    System.clearProperty(Machine.ROOT);
    System.clearProperty("fairlead.cuda.library");
    System.clearProperty("fairlead.nvml.library");
  }

  /** Forgets what processes of made-up hosts have counted. */
  public static void clear() throws IOException {
    for (Path books : List.copyOf(BOOKS)) {
      try (var files = Files.walk(books)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.deleteIfExists(file);
        }
      }
      BOOKS.remove(books);
    }
  }

  /** The doubles, compiled when the first test asks for them. */
  private static final class Doubles {
    // Among the classes, which are what a confined worker may read.
    static final Path FFMPEG_FOLDER = Path.of("target/test-classes/nvidia").toAbsolutePath();
    static final Path CUDA_LIBRARY =
        Path.of("target/test-classes/cuda/libcuda.so.1").toAbsolutePath();

    static {
      try {
        Files.createDirectories(FFMPEG_FOLDER);
        Files.createDirectories(CUDA_LIBRARY.getParent());
        compile(CUDA, CUDA_LIBRARY, List.of("-Wl,-Bsymbolic"), sources(CUDA));
        Path driver = FFMPEG_FOLDER.resolve("libcuda.so.1");
        List<String> loaded = List.of("-fvisibility=hidden", "-Wl,-Bsymbolic", "-Wl,-z,nodelete");
        compile(FFMPEG, driver, loaded, List.of("books.c", "cuda.c", "memory.c", "scale.c", "-lm"));
        compile(
            FFMPEG,
            FFMPEG_FOLDER.resolve("libnvidia-encode.so.1"),
            loaded,
            List.of("books.c", "cards.c", "h264.c", "nvenc.c", "pictures.c", driver.toString()));
        // That a decoder's library is there is all that a check of libraries asks.
        compile(FFMPEG, FFMPEG_FOLDER.resolve("libnvcuvid.so.1"), loaded, List.of("books.c"));
      } catch (IOException | InterruptedException failure) {
        throw new IllegalStateException("The doubles are compiled with gcc", failure);
      }
    }

    private Doubles() {}

    private static List<String> sources(Path folder) throws IOException {
      try (var files = Files.list(folder)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".c"))
            .sorted()
            .toList();
      }
    }

    private static void compile(
        Path folder, Path library, List<String> options, List<String> sources)
        throws IOException, InterruptedException {
      List<String> command =
          new ArrayList<>(List.of("gcc", "-std=gnu11", "-O2", "-g", "-fPIC", "-shared"));
      command.addAll(options);
      command.addAll(List.of("-pthread", "-Wl,-soname," + library.getFileName()));
      command.addAll(List.of("-o", library.toString()));
      command.addAll(sources);
      Path said = Path.of(library + ".said");
      Process gcc =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      boolean ended = gcc.waitFor(2, TimeUnit.MINUTES);
      gcc.destroyForcibly();
      assertThat(ended && gcc.exitValue() == 0)
          .as("gcc of %s: %s", library, Files.readString(said, StandardCharsets.UTF_8))
          .isTrue();
    }
  }
}
