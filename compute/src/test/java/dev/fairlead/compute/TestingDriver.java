package dev.fairlead.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.DriverCodes;
import dev.fairlead.compute.driver.DriverError;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.NativeHandles;
import dev.fairlead.compute.driver.PackedArguments;
import dev.fairlead.compute.driver.Parameter;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A driver that keeps books: what is open, which thread called what, and whether anything is used
 * or freed that is not there. Commands run at once; its programs have the kernels {@code add},
 * which adds an int to every byte of a buffer, and {@code opaque}, which tells no parameters.
 * Thread-safe, as drivers are.
 */
final class TestingDriver implements ComputeDriver {
  static final int ILLEGAL_ADDRESS = 700;
  static final int OUT_OF_MEMORY = 2;
  static final int DEVICE_LOST = 999;
  static final int LAUNCH_FAILED = 4;
  static final int PATIENCE_SECONDS = 30;

  static final DriverCodes CODES =
      new DriverCodes(
          "Testing",
          code -> "TESTING_" + code,
          code ->
              switch (code) {
                case ILLEGAL_ADDRESS -> Fault.CONTEXT;
                case OUT_OF_MEMORY -> Fault.OUT_OF_MEMORY;
                case DEVICE_LOST -> Fault.LOST;
                default -> Fault.DEVICE;
              });

  /** In their order; whoever looks at it sees it as it was then, though others go on calling. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  final Map<Long, Object> open = new ConcurrentHashMap<>();
  final Map<String, Integer> failures = new ConcurrentHashMap<>();
  final Set<Thread> boundThreads = ConcurrentHashMap.newKeySet();
  volatile CountDownLatch events = new CountDownLatch(0);
  volatile boolean closed;
  volatile int foreignStreams;
  final AtomicLong longestPin = new AtomicLong();
  volatile Runnable settling = () -> {};
  volatile Runnable allocating = () -> {};
  volatile Runnable awaiting = () -> {};
  volatile Runnable downloading = () -> {};
  volatile Runnable freeing = () -> {};
  volatile @Nullable TestingDriver reached;
  private final AtomicLong handles = new AtomicLong(1000);
  private final Arena arena = Arena.ofShared();
  private final long capacity;
  private final AtomicLong used = new AtomicLong();

  TestingDriver(long capacity) {
    this.capacity = capacity;
  }

  /** The next call of a function fails with a code. */
  void failNext(String function, int code) {
    failures.put(function, code);
  }

  /** Waits for a latch, with an end that only a failure reaches. */
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("A latch did not open in " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a thread waits for something with a limit; one that has ended waits no more. */
  static void awaitWaiting(Thread thread) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(thread + " is " + thread.getState() + " and does not wait");
      }
      Thread.onSpinWait();
    }
  }

  static void awaitEnd(Thread thread) throws InterruptedException {
    if (!thread.join(Duration.ofSeconds(PATIENCE_SECONDS))) {
      throw new AssertionError(thread + " has not ended in " + PATIENCE_SECONDS + " s");
    }
  }

  private void called(String function) {
    if (closed) {
      throw new AssertionError(function + " after the driver was closed");
    }
    if (!boundThreads.contains(Thread.currentThread())) {
      throw new AssertionError(function + " on an unbound thread " + Thread.currentThread());
    }
    calls.add(function);
    Integer code = failures.remove(function);
    if (code != null) {
      throw CODES.failure(function, code);
    }
  }

  private long enter(Object what) {
    long handle = handles.incrementAndGet();
    open.put(handle, what);
    return handle;
  }

  private <T> T at(long handle, Class<T> type) {
    Object known = open.get(handle);
    if (!type.isInstance(known)) {
      throw new AssertionError("%d is no %s but %s".formatted(handle, type.getSimpleName(), known));
    }
    return type.cast(known);
  }

  private <T> T leave(long handle, Class<T> type) {
    T known = at(handle, type);
    if (!open.remove(handle, known)) {
      throw new AssertionError("%d was released twice".formatted(handle));
    }
    return known;
  }

  record Built(String text) {}

  record Function(String name) {}

  record Queue(Priority priority) {}

  record Mark(long nanos) {}

  @Override
  public NativeHandles handles() {
    return new NativeHandles("Testing", 0, 7, 8);
  }

  @Override
  public Set<ProgramSource.Language> languages() {
    return Set.of(ProgramSource.Language.OPENCL_C);
  }

  @Override
  public void bind() {
    boundThreads.add(Thread.currentThread());
    called("bind");
  }

  @Override
  public void settle() {
    settling.run();
  }

  @Override
  public int foreignStreams() {
    return foreignStreams;
  }

  @Override
  public Optional<Memory> memory() {
    return Optional.empty();
  }

  @Override
  public long allocate(long bytes) {
    called("allocate");
    allocating.run();
    if (used.addAndGet(bytes) > capacity) {
      used.addAndGet(-bytes);
      throw CODES.failure("allocate", OUT_OF_MEMORY);
    }
    return enter(arena.allocate(bytes));
  }

  @Override
  public void free(long buffer) {
    called("free");
    freeing.run();
    used.addAndGet(-leave(buffer, MemorySegment.class).byteSize());
  }

  @Override
  public Pinned pin(long bytes) {
    called("pin");
    longestPin.accumulateAndGet(bytes, Math::max);
    MemorySegment memory = arena.allocate(bytes);
    return new Pinned(enter(memory), memory.address());
  }

  @Override
  public void unpin(Pinned memory) {
    called("unpin");
    leave(memory.handle(), MemorySegment.class);
  }

  @Override
  public long build(ProgramSource source) {
    called("build");
    if (source.text().contains("syntax error")) {
      throw new ComputeException.BuildFailed(
          "line 1: syntax error", new DriverError("Testing", "build", 11, "TESTING_11"));
    }
    return enter(new Built(source.text()));
  }

  @Override
  public void releaseProgram(long program) {
    called("releaseProgram");
    leave(program, Built.class);
  }

  @Override
  public long kernel(long program, String name) {
    called("kernel");
    at(program, Built.class);
    if (!name.equals("add") && !name.equals("opaque")) {
      throw new ComputeException.NoSuchKernel("No kernel " + name, null);
    }
    return enter(new Function(name));
  }

  @Override
  public Optional<List<Parameter>> parameters(long kernel) {
    return at(kernel, Function.class).name().equals("opaque")
        ? Optional.empty()
        : Optional.of(
            List.of(
                new Parameter(Parameter.Kind.BUFFER, Parameter.Form.ANY, 0, "uchar*"),
                new Parameter(Parameter.Kind.VALUE, Parameter.Form.INTEGER, 4, "int")));
  }

  @Override
  public void releaseKernel(long kernel) {
    called("releaseKernel");
    leave(kernel, Function.class);
  }

  @Override
  public long openStream(Priority priority) {
    called("openStream");
    return enter(new Queue(priority));
  }

  @Override
  public void closeStream(long stream) {
    called("closeStream");
    leave(stream, Queue.class);
  }

  @Override
  public void synchronise(long stream) {
    called("synchronise");
    at(stream, Queue.class);
  }

  @Override
  public void upload(long stream, Copy copy) {
    called("upload");
    at(stream, Queue.class);
    MemorySegment from = host(copy.from() + copy.fromOffset(), copy.bytes());
    at(copy.to(), MemorySegment.class).asSlice(copy.toOffset(), copy.bytes()).copyFrom(from);
  }

  @Override
  public void download(long stream, Copy copy) {
    called("download");
    downloading.run();
    at(stream, Queue.class);
    host(copy.to() + copy.toOffset(), copy.bytes())
        .copyFrom(at(copy.from(), MemorySegment.class).asSlice(copy.fromOffset(), copy.bytes()));
  }

  @SuppressWarnings("restricted") // memory that pin has given out
  private static MemorySegment host(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  @Override
  public void copy(long stream, Copy copy) {
    called("copy");
    at(stream, Queue.class);
    at(copy.to(), MemorySegment.class)
        .asSlice(copy.toOffset(), copy.bytes())
        .copyFrom(at(copy.from(), MemorySegment.class).asSlice(copy.fromOffset(), copy.bytes()));
  }

  @Override
  public boolean copyAcross(long stream, ComputeDriver owner, Copy copy) {
    called("copyAcross");
    at(stream, Queue.class);
    TestingDriver other = reached;
    if (other == null) {
      return false;
    }
    assertThat(owner).isSameAs(other);
    at(copy.to(), MemorySegment.class)
        .asSlice(copy.toOffset(), copy.bytes())
        .copyFrom(
            other.at(copy.from(), MemorySegment.class).asSlice(copy.fromOffset(), copy.bytes()));
    return true;
  }

  @Override
  public void fill(long stream, Copy target, byte value) {
    called("fill");
    at(stream, Queue.class);
    at(target.to(), MemorySegment.class).asSlice(target.toOffset(), target.bytes()).fill(value);
  }

  @Override
  public void launch(long stream, long kernel, Grid grid, PackedArguments arguments) {
    called("launch");
    at(stream, Queue.class);
    at(kernel, Function.class);
    MemorySegment buffer =
        at(arguments.pointer(0).get(ValueLayout.JAVA_LONG, 0), MemorySegment.class);
    int value = arguments.pointer(1).get(ValueLayout.JAVA_INT, 0);
    for (long i = 0; i < grid.items().x(); i++) {
      buffer.set(ValueLayout.JAVA_BYTE, i, (byte) (buffer.get(ValueLayout.JAVA_BYTE, i) + value));
    }
  }

  @Override
  public long mark(long stream) {
    called("mark");
    at(stream, Queue.class);
    return enter(new Mark(handles.get()));
  }

  @Override
  public void waitFor(long stream, long event) {
    called("waitFor");
    at(stream, Queue.class);
    at(event, Mark.class);
  }

  @Override
  public boolean isDone(long event) {
    called("isDone");
    at(event, Mark.class);
    return events.getCount() == 0;
  }

  @Override
  public void await(long event) {
    called("await");
    at(event, Mark.class);
    awaiting.run();
    await(events);
    if (!closed) {
      called("awaited");
    }
  }

  @Override
  public long nanosBetween(long earlier, long later) {
    called("nanosBetween");
    return at(later, Mark.class).nanos() - at(earlier, Mark.class).nanos();
  }

  @Override
  public void releaseEvent(long event) {
    called("releaseEvent");
    leave(event, Mark.class);
  }

  @Override
  public void close() {
    called("close");
    closed = true;
  }
}
