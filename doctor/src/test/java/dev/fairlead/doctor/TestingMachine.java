package dev.fairlead.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.choice.NvidiaDriver;
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
 * @param properties of the processes that are to be on it
 */
public record TestingMachine(
    Path root, Map<String, String> environment, Map<String, String> properties) {
  private static final String CUDA_LIBRARY = "fairlead.cuda.library";
  private static final String NVML_LIBRARY = "fairlead.nvml.library";
  private static final List<Path> BOOKS = new CopyOnWriteArrayList<>();

  public TestingMachine {
    environment = Map.copyOf(environment);
    properties = Map.copyOf(properties);
  }

  /** A machine without a card. */
  public static TestingMachine bare(Path root) throws IOException {
    write(root.resolve("proc/sys/kernel/osrelease"), "6.1.0-18-amd64");
    return new TestingMachine(root, Map.of(), Map.of(NvidiaDriver.ROOT, root.toString()));
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
        .with("LD_LIBRARY_PATH", Doubles.NVIDIA.toString())
        .property(CUDA_LIBRARY, Doubles.CUDA.toString())
        .property(NVML_LIBRARY, Doubles.CUDA.toString());
  }

  /** One with a sound card of Intel. */
  public static TestingMachine intel(Path root) throws IOException {
    String address = "0000:03:00.0";
    TestingMachine machine = bare(root).card(address, "0x8086", "xe").node(address, "renderD128");
    write(root.resolve("usr/lib/x86_64-linux-gnu/dri/iHD_drv_video.so"), "");
    return machine
        .with("LD_LIBRARY_PATH", Doubles.VAAPI.toString())
        .with("LIBVA_DRIVERS_PATH", Doubles.VAAPI.toString());
  }

  public boolean hasNvidia() {
    return properties.containsKey(CUDA_LIBRARY);
  }

  /** A library that loads and has nothing of what is asked for. */
  public static Path emptyLibrary() {
    return Doubles.EMPTY;
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
    Path card = root.resolve("sys/bus/pci/devices/" + address);
    Files.createDirectories(card.resolve("drm/" + name));
    Path described = Files.createDirectories(root.resolve("sys/class/drm/" + name));
    Files.createSymbolicLink(described.resolve("device"), card);
    write(root.resolve("dev/dri/" + name), "");
    return this;
  }

  public TestingMachine with(String variable, String value) {
    Map<String, String> more = new TreeMap<>(environment);
    more.put(variable, value);
    return new TestingMachine(root, more, properties);
  }

  public TestingMachine property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return new TestingMachine(root, environment, more);
  }

  public static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Makes this the machine that processes look at, until {@link #restore}. */
  public void use() {
    properties.forEach(System::setProperty);
  }

  public static void restore() {
    List.of(NvidiaDriver.ROOT, CUDA_LIBRARY, NVML_LIBRARY).forEach(System::clearProperty);
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
    private static final Path COMPUTING = Path.of("../backends/cuda/src/test/c");
    private static final Path MEDIA = Path.of("../media/src/test/c");

    // Among the classes, which are what a confined worker may read.
    private static final Path FOLDER =
        Path.of("target/test-classes/doubles-" + ProcessHandle.current().pid()).toAbsolutePath();
    static final Path NVIDIA = FOLDER.resolve("nvidia");
    static final Path VAAPI = FOLDER.resolve("vaapi");
    static final Path CUDA = FOLDER.resolve("libcuda.so.1");
    static final Path EMPTY = FOLDER.resolve("libempty.so");

    static {
      try {
        for (Path folder : List.of(NVIDIA, VAAPI)) {
          Files.createDirectories(folder);
          Path build = MEDIA.resolve(folder.getFileName()).resolve("build.sh");
          run(List.of("sh", build.toString(), folder.toString()));
        }
        String gcc = "gcc -std=gnu11 -O2 -g -fPIC -shared -pthread -Wl,-Bsymbolic -o";
        List<String> command = new ArrayList<>(List.of(gcc.split(" ")));
        command.add(CUDA.toString());
        command.addAll(sources());
        run(command);
        run(List.of("gcc", "-shared", "-o", EMPTY.toString(), "-x", "c", "/dev/null"));
      } catch (IOException | InterruptedException failure) {
        throw new IllegalStateException("The doubles are compiled with gcc", failure);
      }
    }

    private Doubles() {}

    private static List<String> sources() throws IOException {
      try (var files = Files.list(COMPUTING)) {
        return files.map(Path::toString).filter(name -> name.endsWith(".c")).sorted().toList();
      }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
      Path said = FOLDER.resolve("said");
      Process build =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      boolean ended = build.waitFor(2, TimeUnit.MINUTES);
      build.destroyForcibly();
      assertThat(ended && build.exitValue() == 0)
          .as("%s: %s", command, Files.readString(said, StandardCharsets.UTF_8))
          .isTrue();
    }
  }
}
