package dev.fairlead.cuda;

import dev.fairlead.nativecode.C;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Records about processes that NVML writes into a list: how large they are, and where they say the
 * process.
 *
 * <p>The third version of the function that lists computing processes writes records of 24 bytes,
 * but those of some drivers of CUDA 12.2 are of 32, under the same name. So there is room for the
 * larger ones, and how far the list was written tells which they are: its bytes hold {@link
 * #UNWRITTEN} before, which is nothing that ends a record. A driver that clears all of the list
 * first is told apart as well, since the room is an odd number of records: so many of 24 bytes do
 * not end where any number of 32 does.
 *
 * @param bytes the size of a record
 * @param mostBytes the size that it may have as well; the same where there is but one
 * @param pidAt where a record says the process
 */
record NvmlRecords(int bytes, int mostBytes, int pidAt) {
  static final NvmlRecords PROCESSES_AT_FIRST = new NvmlRecords(16, 16, 0);
  static final NvmlRecords PROCESSES = new NvmlRecords(24, 24, 0);
  static final NvmlRecords PROCESSES_OF_EITHER_SIZE = new NvmlRecords(24, 32, 0);
  static final NvmlRecords SESSIONS = new NvmlRecords(32, 32, 4);

  /** Neither zero, nor what NVML writes where a number is not known, all ones. */
  private static final byte UNWRITTEN = (byte) 0xA5;

  /** The numbers of records that there is room for, one after the other; all are odd. */
  static final int FIRST_ROOM = 17;

  private static final int MOST_ROOM = 1 << 16;

  static boolean isRoom(int room) {
    return room < MOST_ROOM;
  }

  static int moreRoom(int room) {
    return 2 * room + 1;
  }

  /** Room for so many records, nothing written. */
  MemorySegment allocate(Arena arena, int room) {
    return arena.allocate((long) room * mostBytes, Long.BYTES).fill(UNWRITTEN);
  }

  /** The processes of the first records of a list. */
  List<Integer> pids(MemorySegment list, int count) {
    int size = sizeOf(list, count);
    List<Integer> pids = new ArrayList<>();
    for (int i = 0; i < count && (long) (i + 1) * size <= list.byteSize(); i++) {
      pids.add(list.get(C.INT, (long) i * size + pidAt));
    }
    return pids;
  }

  private int sizeOf(MemorySegment list, int count) {
    long written = written(list);
    return written == (long) count * mostBytes || written == list.byteSize() ? mostBytes : bytes;
  }

  private static long written(MemorySegment list) {
    long end = list.byteSize();
    while (end > 0 && list.get(ValueLayout.JAVA_BYTE, end - 1) == UNWRITTEN) {
      end--;
    }
    return end;
  }
}
