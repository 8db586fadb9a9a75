package dev.fairlead.compute.driver;

import dev.fairlead.policy.Priority;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One device, opened through its driver: the seam between the compute API and a backend.
 *
 * <p>What is shared stands above this seam: lifetimes, generations, bounds, the checking of
 * arguments, the cache of programs. A backend is thin: each method is a call or a few, and a code
 * that is no success becomes an exception by {@link DriverCodes#check}. A driver may be called by
 * several of its device's threads at once; each called {@link #bind} before. {@link #memory} and
 * {@link #foreignStreams} may be called by any thread.
 *
 * <p>Handles are opaque to the caller: a driver that needs two native objects for one handle gives
 * out numbers of its own.
 */
public interface ComputeDriver extends AutoCloseable {

  /** Device memory at one moment, whoever uses it. */
  record Memory(long freeBytes, long totalBytes) {}

  /** Host memory that the device can read and write by itself. */
  record Pinned(long handle, long address) {}

  /** A copy of bytes; on the host's side of an upload or download, a handle is an address. */
  record Copy(long from, long fromOffset, long to, long toOffset, long bytes) {}

  /** The driver's own objects, for other libraries that are used under a lease. */
  NativeHandles handles();

  /** What programs may be written in. */
  Set<ProgramSource.Language> languages();

  /** Makes the context current on this thread, where the driver has such a notion. */
  void bind();

  /**
   * Makes the context current on a caller's thread for a while; {@link #unbind} follows there. What
   * was current before is still there, below it.
   */
  default void bindGuest() {
    bind();
  }

  /** Undoes the last {@link #bindGuest} of this thread: what was current before is so again. */
  default void unbind() {}

  /**
   * Keeps the current thread, which is one of the device's own, on processors that are near to the
   * device, where the machine has such.
   */
  default void settle() {}

  /** What the driver itself says; empty where it cannot tell. */
  Optional<Memory> memory();

  /**
   * Streams, or processes where the driver can tell no more, that others run on the device; none
   * where it cannot tell at all.
   */
  default int foreignStreams() {
    return 0;
  }

  /**
   * A program for probes, with a kernel {@code fairlead_probe} that takes a buffer of numbers of 32
   * bits and their count, and makes of each number {@code number * 31 + index}; empty where a probe
   * only copies.
   */
  default Optional<ProgramSource> probeProgram() {
    return Optional.empty();
  }

  long allocate(long bytes);

  /** Frees a buffer; commands that use it may still be on their way, and must end well. */
  void free(long buffer);

  Pinned pin(long bytes);

  void unpin(Pinned memory);

  /**
   * Builds a program.
   *
   * @throws ComputeException.BuildFailed with the log, if it does not compile
   */
  long build(ProgramSource source);

  void releaseProgram(long program);

  /**
   * A kernel of a program.
   *
   * @throws ComputeException.NoSuchKernel if the program has none of that name
   */
  long kernel(long program, String name);

  /** What the kernel takes; empty where the driver cannot tell, so that only it can check. */
  Optional<List<Parameter>> parameters(long kernel);

  void releaseKernel(long kernel);

  /** Opens a stream: commands that run in the order in which they were given. */
  long openStream(Priority priority);

  /** Closes a stream on which nothing is on its way. */
  void closeStream(long stream);

  /** Waits until all commands of a stream have ended. */
  void synchronise(long stream);

  void upload(long stream, Copy copy);

  void download(long stream, Copy copy);

  void copy(long stream, Copy copy);

  /**
   * Copies from a buffer of another device to one of this device, if the driver can do that without
   * the host.
   *
   * @param owner the driver of the other device, whose context is open and stays so meanwhile
   * @return whether the copy was given; if not, the bytes have to go over the host
   */
  default boolean copyAcross(long stream, ComputeDriver owner, Copy copy) {
    return false;
  }

  /** Fills part of a buffer, which is what the copy goes to, with one byte. */
  void fill(long stream, Copy target, byte value);

  /** Launches a kernel; no two launches of one kernel object come at the same time. */
  void launch(long stream, long kernel, Grid grid, PackedArguments arguments);

  /** An event that comes when all commands so far have ended; sees to it that they begin. */
  long mark(long stream);

  /** Holds the stream's later commands until the event has come. */
  void waitFor(long stream, long event);

  boolean isDone(long event);

  /** Waits for an event; throws what went wrong with the commands before it. */
  void await(long event);

  /** The device's own time between two events that have come. */
  long nanosBetween(long earlier, long later);

  void releaseEvent(long event);

  /** Gives up the context; what is left in it goes with it. */
  @Override
  void close();
}
