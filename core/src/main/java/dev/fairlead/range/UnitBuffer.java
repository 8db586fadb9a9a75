package dev.fairlead.range;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Storage for the units of one split, owned by the caller and reusable.
 *
 * <p>A split replaces what the buffer holds; a split that fails leaves it empty. Not thread-safe.
 */
public final class UnitBuffer {
  /*
   * Only the end of a unit is stored: a unit starts where the one before it ends. Units therefore
   * tile the total by construction, with no gap and no overlap, whatever a splitter does.
   */

  /** Some JVMs cannot allocate arrays of the very last lengths. */
  static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private static final int FIRST_GROWTH = 16;

  private final int capacity;
  private long[] ends;
  private int[] homes;
  private int size;

  private UnitBuffer(int capacity, int allocated) {
    this.capacity = capacity;
    this.ends = new long[allocated];
    this.homes = new int[allocated];
  }

  /** A buffer that holds up to {@code capacity} units, allocated once, here. */
  public static UnitBuffer ofCapacity(int capacity) {
    if (capacity < 0 || capacity > LARGEST_ARRAY) {
      throw new IllegalArgumentException(
          "capacity is not within 0.." + LARGEST_ARRAY + ": " + capacity);
    }
    return new UnitBuffer(capacity, capacity);
  }

  /** A buffer that grows with the largest split it has held, up to what an array can hold. */
  public static UnitBuffer growing() {
    return new UnitBuffer(LARGEST_ARRAY, 0);
  }

  /** The most units that this buffer can hold. */
  public int capacity() {
    return capacity;
  }

  public int size() {
    return size;
  }

  /** The first index of a unit. */
  public long start(int unit) {
    return endBefore(checked(unit));
  }

  /** The index after the last one of a unit. */
  public long end(int unit) {
    return ends[checked(unit)];
  }

  /** The device that a unit is meant for, in pool order. */
  public int home(int unit) {
    return homes[checked(unit)];
  }

  public Unit unit(int unit) {
    return new Unit(new Range(start(unit), end(unit)), home(unit));
  }

  /** A copy that later splits into this buffer do not change. */
  public List<Unit> toList() {
    return IntStream.range(0, size).mapToObj(this::unit).toList();
  }

  @Override
  public String toString() {
    return "UnitBuffer[" + size + " units up to " + covered() + ", capacity " + capacity + "]";
  }

  /** Empties the buffer, then refuses a total that cannot be split over so many devices. */
  void clearFor(long total, int devices) {
    size = 0;
    if (total < 0) {
      throw new IllegalArgumentException("total is negative: " + total);
    }
    if (devices < 0) {
      throw new IllegalArgumentException("devices is negative: " + devices);
    }
    if (total > 0 && devices == 0) {
      throw new SplitException.NoDevices(total);
    }
  }

  /** Makes room for {@code count} units in all, or refuses before the first is stored. */
  void reserve(long count) {
    if (count > capacity) {
      throw new SplitException.TooManyUnits(count, capacity);
    }
    if (count > ends.length) {
      // Doubling keeps the cost of adding one at a time linear in the end.
      long doubled = Math.min(capacity, Math.max(FIRST_GROWTH, 2L * ends.length));
      int length = (int) Math.max(count, doubled);
      ends = Arrays.copyOf(ends, length);
      homes = Arrays.copyOf(homes, length);
    }
  }

  void add(long length, int home) {
    if (length <= 0) {
      throw new IllegalArgumentException("the length of a unit is not positive: " + length);
    }
    reserve(size + 1L);
    ends[size] = Math.addExact(covered(), length);
    homes[size] = home;
    size++;
  }

  /** Replaces what this buffer holds by what the other one does. */
  void copy(UnitBuffer other) {
    size = 0;
    reserve(other.size);
    System.arraycopy(other.ends, 0, ends, 0, other.size);
    System.arraycopy(other.homes, 0, homes, 0, other.size);
    size = other.size;
  }

  /** How many indices, from 0 on, the units cover. */
  long covered() {
    return endBefore(size);
  }

  private long endBefore(int unit) {
    return unit == 0 ? 0 : ends[unit - 1];
  }

  private int checked(int unit) {
    if (unit < 0 || unit >= size) {
      throw new IndexOutOfBoundsException("unit " + unit + " of " + size);
    }
    return unit;
  }
}
