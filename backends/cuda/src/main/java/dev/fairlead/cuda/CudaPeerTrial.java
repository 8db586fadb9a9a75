package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeDriver.Copy;
import dev.fairlead.compute.driver.ComputeDriver.Pinned;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.policy.Priority;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A copy from another device straight to this one that is compared with what was sent. The driver
 * says which devices reach each other by what they are, not by what is between them: where an IOMMU
 * translates addresses, such copies can end well and bring other bytes, or none.
 *
 * <p>The current thread has the context of this device. What fails on the other one is no fault of
 * this one, and is for its own work to find out: the trial was not made then.
 */
final class CudaPeerTrial {
  /** Many pages of the host's memory, which is what an IOMMU translates. */
  private static final int BYTES = 1 << 20;

  private static final byte NOTHING_CAME = 0;

  /** What came of it. */
  enum Verdict {
    /** The bytes came over. */
    SOUND,
    /** Other bytes came, or none. */
    LOSES,
    /** It could not be made, say for lack of memory. */
    NOT_MADE
  }

  private final CudaDriver here;
  private final CudaDriver other;

  CudaPeerTrial(CudaDriver here, CudaDriver other) {
    this.here = here;
    this.other = other;
  }

  Verdict run() {
    try (Things mine = new Things(here)) {
      return run(mine);
    } catch (ComputeException failure) {
      if (failure.poisons()) {
        throw failure;
      }
      return Verdict.NOT_MADE;
    }
  }

  private Verdict run(Things mine) {
    byte[] sent = pattern();
    MemorySegment pattern = MemorySegment.ofArray(sent);
    Pinned pinned = mine.pin();
    MemorySegment host = host(pinned);
    host.copyFrom(pattern);
    long target = mine.allocate();
    long stream = mine.openStream();
    Things theirs = new Things(other);
    try {
      long source = send(theirs, pinned);
      if (source == 0) {
        return Verdict.NOT_MADE;
      }
      host.fill(NOTHING_CAME);
      here.fill(stream, new Copy(0, 0, target, 0, BYTES), NOTHING_CAME);
      here.copyStraight(stream, other, new Copy(source, 0, target, 0, BYTES));
      here.download(stream, new Copy(target, 0, pinned.address(), 0, BYTES));
      here.synchronise(stream);
      return pattern.mismatch(host) < 0 ? Verdict.SOUND : Verdict.LOSES;
    } finally {
      there(theirs::close);
    }
  }

  /** Brings the bytes to the other device; their address there, or zero if that failed. */
  private long send(Things theirs, Pinned pinned) {
    long[] source = new long[1];
    boolean sent =
        there(() -> {
          source[0] = theirs.allocate();
          long stream = theirs.openStream();
          other.upload(stream, new Copy(pinned.address(), 0, source[0], 0, BYTES));
          other.synchronise(stream);
        });
    return sent ? source[0] : 0;
  }

  /** Does something in the context of the other device; whether that went well. */
  private boolean there(Runnable step) {
    try {
      other.push();
      try {
        step.run();
      } finally {
        other.unbind();
      }
      return true;
    } catch (ComputeException itsOwn) {
      return false;
    }
  }

  private static byte[] pattern() {
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      // Different in every page, and never what a buffer holds that nothing came to.
      bytes[i] = (byte) (1 + (i * 31 + (i >> 12)) % 255);
    }
    return bytes;
  }

  @SuppressWarnings("restricted") // as many bytes as were pinned
  private static MemorySegment host(Pinned pinned) {
    return MemorySegment.ofAddress(pinned.address())
        .reinterpret(BYTES)
        .asSlice(0, BYTES, ValueLayout.JAVA_BYTE.byteAlignment());
  }

  /** What a trial has made on a device; given back in its context, unless that is poisoned. */
  private static final class Things implements AutoCloseable {
    private final CudaDriver driver;
    private final Deque<Runnable> ends = new ArrayDeque<>();

    Things(CudaDriver driver) {
      this.driver = driver;
    }

    long allocate() {
      long memory = driver.allocate(BYTES);
      ends.push(() -> driver.free(memory));
      return memory;
    }

    Pinned pin() {
      Pinned memory = driver.pin(BYTES);
      ends.push(() -> driver.unpin(memory));
      return memory;
    }

    long openStream() {
      long stream = driver.openStream(Priority.NORMAL);
      ends.push(() -> driver.closeStream(stream));
      return stream;
    }

    @Override
    public void close() {
      while (!ends.isEmpty() && !driver.isPoisoned()) {
        ends.pop().run();
      }
    }
  }
}
