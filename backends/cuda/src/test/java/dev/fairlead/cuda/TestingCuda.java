package dev.fairlead.cuda;

import static dev.fairlead.nativecode.C.INT;
import static dev.fairlead.nativecode.C.LONG;
import static dev.fairlead.nativecode.C.POINTER;
import static dev.fairlead.nativecode.C.SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.nativecode.Symbols;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The driver double of {@code src/test/c}, compiled with gcc: what tests tell it, and what it has
 * in its books. There is one of it in the process, so that tests that use it do not run side by
 * side.
 */
final class TestingCuda {
  private static final Path SOURCES = Path.of("src/test/c");
  private static final Path HEADERS = Path.of("/usr/local/cuda/include");
  private static final List<Path> NVML_HEADERS = List.of(HEADERS, Path.of("/usr/include"));
  private static final int LONGEST_TEXT = 1 << 16;
  private static final Map<String, Path> BUILT = new ConcurrentHashMap<>();

  private record Functions(
      MethodHandle setup,
      MethodHandle fail,
      MethodHandle forgive,
      MethodHandle lose,
      MethodHandle slice,
      MethodHandle others,
      MethodHandle loseCopies,
      MethodHandle keepErrors,
      MethodHandle idleKernels,
      MethodHandle child,
      MethodHandle mostUsers,
      MethodHandle exclusive,
      MethodHandle memory,
      MethodHandle releaseHung,
      MethodHandle calls,
      MethodHandle order,
      MethodHandle afterPoison,
      MethodHandle books,
      MethodHandle priority) {
    static Functions of(Symbols of) {
      return new Functions(
          of.function("double_setup", INT, INT, POINTER),
          of.function("double_fail", INT, POINTER),
          of.function("double_forgive", INT),
          of.function("double_lose", INT, INT),
          of.function("double_slice", INT, INT, POINTER),
          of.function("double_others", INT, INT, INT, INT, INT),
          of.function("double_lose_copies", INT, INT, INT),
          of.function("double_keep_errors", INT, INT),
          of.function("double_idle_kernels", INT, INT, INT),
          of.function("double_child", INT, INT, INT),
          of.function("double_most_users", INT, INT, INT),
          of.function("double_exclusive", INT, INT, POINTER),
          of.function("double_memory", INT, INT, SIZE),
          of.function("double_release_hung", INT),
          of.function("double_calls", LONG, POINTER),
          of.function("double_order", INT, POINTER, SIZE),
          of.function("double_after_poison", INT, POINTER, SIZE),
          of.function("double_books", INT, POINTER, SIZE),
          of.function("double_priority", INT, LONG));
    }
  }

  private final Functions functions;
  private final Path folder;
  private final @Nullable String visible;

  private TestingCuda(Path folder, @Nullable String visible) {
    this.folder = folder;
    this.visible = visible;
    Binding<Functions> binding = Binding.of(List.of(library(folder).toString()), Functions::of);
    this.functions = ((Binding.Bound<Functions>) binding).functions();
  }

  /** A machine with so many devices, the books empty. */
  static TestingCuda with(int devices) {
    return with(devices, null);
  }

  /** The same with {@code CUDA_VISIBLE_DEVICES} in its environment. */
  static TestingCuda with(int devices, @Nullable String visible) {
    return new TestingCuda(folder(), visible).setUp(devices);
  }

  /** The same with a double that was built with options of the compiler. */
  static TestingCuda built(int devices, List<String> options) {
    return new TestingCuda(folder(options.toArray(String[]::new)), null).setUp(devices);
  }

  private TestingCuda setUp(int devices) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment show = visible == null ? MemorySegment.NULL : arena.allocateFrom(visible);
      Downcall.number(() -> (int) functions.setup.invokeExact(devices, show));
    }
    return this;
  }

  /**
   * Where the double was built, as {@code libcuda.so.1} and {@code libnvidia-ml.so.1}.
   *
   * @param options of the compiler, for one that lacks something
   */
  static Path folder(String... options) {
    return BUILT.computeIfAbsent(String.join(" ", options), name -> build(name, options));
  }

  static Path library(Path folder) {
    return folder.resolve("libcuda.so.1");
  }

  private static Path build(String name, String... options) {
    Path folder = Path.of("target", "cuda-double", name.replaceAll("[^A-Za-z0-9]", ""));
    List<String> command =
        new ArrayList<>(
            List.of("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-fPIC"));
    // Its own functions, and not those of the same names that the virtual machine has.
    command.addAll(List.of("-shared", "-Wl,-Bsymbolic", "-pthread"));
    command.addAll(List.of("-o", library(folder).toString()));
    command.addAll(List.of(options));
    if (Files.exists(HEADERS.resolve("cuda.h"))) {
      command.addAll(List.of("-DWITH_CUDA_H", "-I" + HEADERS));
    }
    if (NVML_HEADERS.stream().anyMatch(headers -> Files.exists(headers.resolve("nvml.h")))) {
      command.addAll(List.of("-DWITH_NVML_H", "-I" + HEADERS));
    }
    try (var sources = Files.list(SOURCES)) {
      Files.createDirectories(folder);
      sources
          .map(Path::toString)
          .filter(file -> file.endsWith(".c"))
          .sorted()
          .forEach(command::add);
      Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(gcc.waitFor()).as("gcc of the driver double: %s", said).isZero();
      Path nvml = folder.resolve("libnvidia-ml.so.1");
      Files.deleteIfExists(nvml);
      // The same file under both names is loaded once, so that both know the same devices.
      Files.createSymbolicLink(nvml, Path.of("libcuda.so.1"));
    } catch (IOException failure) {
      throw new UncheckedIOException(
          "The driver double is compiled with gcc: install it (on Debian: apt-get install gcc"
              + " libc6-dev), or run ./verify, which does",
          failure);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("Interrupted while gcc ran", interrupted);
    }
    return folder.toAbsolutePath();
  }

  CudaHost host() {
    return host(folder, Path.of("/nowhere"));
  }

  CudaHost host(Path libraries, Path pciDevices) {
    return new CudaHost(
        List.of(library(libraries).toString()),
        List.of(libraries.resolve("libnvidia-ml.so.1").toString()),
        true,
        visible,
        pciDevices);
  }

  CudaProvider provider() {
    return new CudaProvider(host());
  }

  /** Has a call fail: {@code function:nth:code}, every call if it is the zeroth. */
  void fail(String order) {
    withText(order, text -> (int) functions.fail.invokeExact(text));
  }

  void forgive() {
    Downcall.number(() -> (int) functions.forgive.invokeExact());
  }

  /** Has a device fall off the bus. */
  void lose(int device) {
    Downcall.number(() -> (int) functions.lose.invokeExact(device));
  }

  /** Makes a device a MIG slice of that name. */
  void slice(int device, String name) {
    withText(name, text -> (int) functions.slice.invokeExact(device, text));
  }

  void others(int device, int processes, int ownSessions, int foreignSessions) {
    Downcall.number(
        () -> (int) functions.others.invokeExact(device, processes, ownSessions, foreignSessions));
  }

  /** Has copies from one device straight to another end well and bring nothing. */
  void loseCopies(int from, int to) {
    Downcall.number(() -> (int) functions.loseCopies.invokeExact(from, to));
  }

  /** Has errors of a device outlive a reset of its context. */
  void keepErrors(int device) {
    Downcall.number(() -> (int) functions.keepErrors.invokeExact(device));
  }

  /** Has kernels on a device end well and do nothing, or do their work again. */
  void idleKernels(int device, boolean idle) {
    Downcall.number(() -> (int) functions.idleKernels.invokeExact(device, idle ? 1 : 0));
  }

  /** Has a process compute on a device and encode there. */
  void child(int device, long pid) {
    Downcall.number(() -> (int) functions.child.invokeExact(device, Math.toIntExact(pid)));
  }

  /** Has a device serve so many processes at a time and refuse the next. */
  void mostUsers(int device, int most) {
    Downcall.number(() -> (int) functions.mostUsers.invokeExact(device, most));
  }

  /** Has a device serve one process of the host at a time: the one that holds the file's lock. */
  void exclusive(int device, Path file) {
    withText(file.toString(), text -> (int) functions.exclusive.invokeExact(device, text));
  }

  void memory(int device, long total) {
    Downcall.number(() -> (int) functions.memory.invokeExact(device, total));
  }

  /** Lets kernels end that hang. */
  void releaseHung() {
    Downcall.number(() -> (int) functions.releaseHung.invokeExact());
  }

  int priority(long stream) {
    return Downcall.number(() -> (int) functions.priority.invokeExact(stream));
  }

  int calls(String function) {
    return withText(function, text -> (int) (long) functions.calls.invokeExact(text));
  }

  /** Copies and waits as they were asked for: the function and the device. */
  List<String> order() {
    return text((out, size) -> (int) functions.order.invokeExact(out, size)).lines().toList();
  }

  /** What was asked of contexts after they had been poisoned. */
  List<String> afterPoison() {
    return text((out, size) -> (int) functions.afterPoison.invokeExact(out, size)).lines().toList();
  }

  /**
   * Nothing was called as it must not be, and all was given back. A probe that the test's clock
   * made seem late gives its context back when it comes out.
   */
  void requireCleanBooks() {
    Eventually.until("contexts are given back: " + books(), () -> !books().contains("is retained"));
    assertThat(books()).as("the books of the driver double").isEmpty();
  }

  String books() {
    return text((out, size) -> (int) functions.books.invokeExact(out, size));
  }

  private interface Said {
    int with(MemorySegment text) throws Throwable;
  }

  private interface Told {
    int into(MemorySegment text, long size) throws Throwable;
  }

  private static int withText(String text, Said said) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment given = arena.allocateFrom(text);
      return Downcall.number(() -> said.with(given));
    }
  }

  private static String text(Told told) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(LONGEST_TEXT);
      Downcall.number(() -> told.into(out, LONGEST_TEXT));
      return C.text(out);
    }
  }

  /** The kernels that the double knows, in PTX that a true driver takes as well. */
  static String kernels() {
    try (var stream = TestingCuda.class.getResourceAsStream("/kernels.ptx")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
