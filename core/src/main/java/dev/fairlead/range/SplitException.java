package dev.fairlead.range;

/** A total that cannot be split as asked, though each argument is valid by itself. */
public abstract sealed class SplitException extends RuntimeException {

  private SplitException(String message) {
    super(message);
  }

  /** There are indices to split, and no device to give them to. */
  public static final class NoDevices extends SplitException {
    private final long total;

    NoDevices(long total) {
      super(
          "cannot split "
              + total
              + (total == 1 ? " index" : " indices")
              + " over 0 devices; add a device first, or split a total of 0");
      this.total = total;
    }

    /** How many indices were to be split. */
    public long total() {
      return total;
    }
  }

  /** The split has more units than its storage can hold. */
  public static final class TooManyUnits extends SplitException {
    private final long count;
    private final int capacity;

    TooManyUnits(long count, int capacity) {
      super(
          "the split has "
              + count
              + " units and the storage holds "
              + capacity
              + "; "
              + remedy(count));
      this.count = count;
      this.capacity = capacity;
    }

    /** How many units the split has. */
    public long count() {
      return count;
    }

    /** How many units the storage holds. */
    public int capacity() {
      return capacity;
    }

    private static String remedy(long count) {
      return count <= UnitBuffer.LARGEST_ARRAY
          ? "use UnitBuffer.ofCapacity(" + count + ") or UnitBuffer.growing()"
          : "no array holds as many: use fewer devices, or split the total in several parts";
    }
  }
}
