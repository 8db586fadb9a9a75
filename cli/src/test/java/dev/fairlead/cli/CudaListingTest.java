package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** How the command lists CUDA devices, from the double of their driver. */
class CudaListingTest {
  private static final Path SOURCES = Path.of("../backends/cuda/src/test/c");
  private static final String CUDA = "fairlead.cuda.library";
  private static final String NVML = "fairlead.nvml.library";
  private static final String FIRST = "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf";

  private Path library;

  @BeforeEach
  void aMachineWithTwoDevices() throws Throwable {
    library = build();
    call("double_setup", 2, MemorySegment.NULL);
    System.setProperty(CUDA, library.toString());
    System.setProperty(NVML, library.toString());
  }

  @AfterEach
  void restore() {
    System.clearProperty(CUDA);
    System.clearProperty(NVML);
  }

  private static Path build() throws IOException, InterruptedException {
    Path library = Path.of("target/cuda-double/libcuda.so.1").toAbsolutePath();
    Files.createDirectories(library.getParent());
    List<String> command =
        new ArrayList<>(
            List.of("gcc", "-std=gnu11", "-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic", "-pthread"));
    command.addAll(List.of("-o", library.toString()));
    try (var sources = Files.list(SOURCES)) {
      sources.map(Path::toString).filter(file -> file.endsWith(".c")).forEach(command::add);
    }
    Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(gcc.waitFor()).as("gcc of the driver double: %s", said).isZero();
    return library;
  }

  @SuppressWarnings("restricted") // functions of the double whose signatures are known
  private void call(String function, int number, MemorySegment text) throws Throwable {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(function),
                FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    handle.invokeExact(number, text);
  }

  private static String devices(String... more) {
    List<String> arguments = new ArrayList<>(List.of("devices", "--devices", "cuda"));
    arguments.addAll(List.of(more));
    TestingCommand run = TestingCommand.run(arguments.toArray());
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void programsGetAllThatIsKnownOfADevice() {
    JsonNode listed = new ObjectMapper().readTree(devices("--json"));
    JsonNode first = listed.get("devices").get(0);
    JsonNode details = first.get("details");

    assertThat(first.get("id").asString()).isEqualTo(FIRST);
    assertThat(first.get("label").asString()).isEqualTo("cuda:0");
    assertThat(first.get("kind").asString()).isEqualTo("cuda");
    assertThat(first.get("vendor").asString()).isEqualTo("nvidia");
    assertThat(first.get("health").asString()).isEqualTo("ready");
    assertThat(first.get("sharesHostCores").asBoolean()).isFalse();
    assertThat(first.get("memoryBytes").asLong()).isEqualTo(1L << 30);
    assertThat(first.get("memoryFreeBytes").asLong()).isEqualTo(1L << 30);
    assertThat(details.get("PCI address").asString()).isEqualTo("0000:3b:00.0");
    assertThat(details.get("compute capability").asString()).isEqualTo("7.5");
    assertThat(details.get("multiprocessors").asString()).isEqualTo("40");
    assertThat(details.get("reads memory of").asString()).isEqualTo("cuda:1");
    assertThat(details.get("utilization").asString()).isEqualTo("37 %");
    assertThat(details.get("temperature").asString()).isEqualTo("61 °C");
    assertThat(details.get("power").asString()).isEqualTo("123 W");
    assertThat(details.get("uncorrected ECC errors").asString()).isEqualTo("8589934595");
    assertThat(details.get("compute processes").asString()).as("not this one").isEqualTo("0");
    assertThat(details.get("encoder sessions").asString()).isEqualTo("0");
    assertThat(listed.get("problems")).isEmpty();
  }

  @Test
  void aSliceSaysThatItIsOne() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      call("double_slice", 1, arena.allocateFrom("Double GPU MIG 1g.5gb"));
    }
    JsonNode slice = new ObjectMapper().readTree(devices("--json")).get("devices").get(1);

    assertThat(slice.get("id").asString()).startsWith("MIG-b0b1");
    assertThat(slice.get("details").get("slice").asString()).isEqualTo("MIG");
    assertThat(slice.get("details").has("utilization")).as("a slice does not tell").isFalse();
  }

  /** In EXCLUSIVE_PROCESS mode that would be refused, or take the card from another process. */
  @Test
  void aDeviceIsListedWithoutOpeningIt() throws Throwable {
    long before = opened();

    assertThat(devices()).contains("cuda:0", "ready");

    assertThat(opened()).isEqualTo(before);
  }

  @SuppressWarnings("restricted") // a function of the double whose signature is known
  private long opened() throws Throwable {
    MethodHandle calls =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("double_calls"),
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      return (long) calls.invokeExact(arena.allocateFrom("cuDevicePrimaryCtxRetain"));
    }
  }

  @Test
  void peopleReadTheSameUnderTheTable() {
    assertThat(devices())
        .contains("cuda:0", "Double GPU 0", "1024/1024", "BUSY/SLOTS")
        .contains(
            "cuda:0: id " + FIRST + ", PCI address 0000:3b:00.0",
            "temperature 61 °C",
            "reads memory of cuda:1");
  }
}
