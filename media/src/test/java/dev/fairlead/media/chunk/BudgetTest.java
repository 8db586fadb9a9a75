package dev.fairlead.media.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.settings.BudgetSize;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BudgetTest {
  private static final long SEED = Long.getLong("fairlead.seed", 4_242);
  private static final int ROUNDS = Boolean.getBoolean("fairlead.full") ? 100_000 : 3_000;

  @Test
  void asManyChunksBeginAsThereIsRoomFor() {
    Budget chunks = new Budget(BudgetSize.ofChunks(2));
    Budget bytes = new Budget(new BudgetSize(9, 25));
    for (Budget budget : List.of(chunks, bytes)) {
      assertThat(begins(budget, 10)).isTrue();
      assertThat(begins(budget, 10)).isTrue();
      assertThat(budget.hasRoom(10)).isFalse();
      budget.give(10);
      assertThat(begins(budget, 10)).isTrue();
    }
  }

  private static boolean begins(Budget budget, long bytes) {
    try {
      return budget.hasRoom(bytes) && budget.reserve(bytes, () -> false);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void aChunkThatHasBegunGrowsAtOnceAndNeverBeyondTheRoom() {
    Budget budget = new Budget(new BudgetSize(1, 25));
    assertThat(begins(budget, 10)).isTrue();
    assertThat(budget.grow(15)).isTrue();
    assertThat(budget.grow(1)).isFalse();
    assertThat(budget.peak()).isEqualTo(25);
    budget.give(25);
    assertThat(budget.grow(1)).isTrue();
  }

  @Test
  void whatIsUrgentDoesNotWait() throws Exception {
    Budget budget = new Budget(BudgetSize.ofChunks(1));
    AtomicBoolean urgent = new AtomicBoolean(true);
    assertThat(begins(budget, 10)).isTrue();
    assertThat(budget.reserve(10, urgent::get)).isTrue();
    assertThat(budget.peak()).isEqualTo(20);
  }

  /** A chunk of the model: how many pictures it has, has got, and has been read of by whom. */
  private static final class Cell {
    final int[] pictures;
    long reserved;
    long held;
    int there;
    int unread;

    Cell(int[] pictures, int rungs) {
      this.pictures = pictures;
      this.unread = rungs;
    }

    boolean isComplete() {
      return there == pictures.length;
    }
  }

  /** A lane that reads a chunk, whichever somebody gave it. */
  private static final class Lane {
    @Nullable Cell cell;
    int read;
  }

  /**
   * Pumps that decode chunks of random sizes, and lanes that take them in any order, take steps at
   * random as long as any can. Lanes take the newest chunk as well as the oldest.
   */
  private static final class Model {
    final SplittableRandom random;
    final BudgetSize room;
    final Budget budget;
    final int rungs;
    final List<List<Cell>> pumps = new ArrayList<>();
    final List<Lane> lanes = new ArrayList<>();
    final List<Cell> units = new ArrayList<>();
    int expected;
    int left;
    boolean refused;

    Model(long seed) {
      random = new SplittableRandom(seed);
      expected = 1 + random.nextInt(20);
      room = new BudgetSize(random.nextInt(5), 10L * expected * (1 + random.nextInt(8)));
      budget = new Budget(room);
      rungs = 1 + random.nextInt(4);
      boolean uneven = random.nextInt(3) == 0;
      for (int pump = 1 + random.nextInt(4); pump > 0; pump--) {
        List<Cell> chunks = new ArrayList<>();
        for (int chunk = random.nextInt(12); chunk > 0; chunk--) {
          int most = uneven ? 3 * expected : expected;
          chunks.add(new Cell(sizes(1 + random.nextInt(most), uneven), rungs));
          left++;
        }
        pumps.add(chunks);
      }
      for (int lane = 1 + random.nextInt(4); lane > 0; lane--) {
        lanes.add(new Lane());
      }
    }

    private int[] sizes(int pictures, boolean uneven) {
      return random.ints(pictures, 5, uneven ? 16 : 6).toArray();
    }

    void run() {
      while (left > 0 && !refused) {
        int actors = pumps.size() + lanes.size();
        int first = random.nextInt(actors);
        boolean moved = false;
        for (int turn = 0; turn < actors && !moved && !refused; turn++) {
          int actor = (first + turn) % actors;
          moved =
              actor < pumps.size()
                  ? decode(pumps.get(actor))
                  : encode(lanes.get(actor - pumps.size()));
        }
        assertThat(moved || refused).as("nobody can go on, %d chunks are left", left).isTrue();
        assertThat(budget.peak()).isLessThanOrEqualTo(room.bytes());
      }
    }

    private boolean decode(List<Cell> chunks) {
      if (chunks.isEmpty()) {
        return false;
      }
      Cell cell = chunks.getFirst();
      int size = cell.pictures[cell.there];
      if (cell.there == 0) {
        long estimate = Math.min((long) expected * size, room.bytes());
        if (!begins(budget, estimate)) {
          return false;
        }
        cell.reserved = estimate;
        for (int rung = 0; rung < rungs; rung++) {
          units.add(cell);
        }
      }
      cell.held += size;
      if (cell.held > cell.reserved) {
        if (!budget.grow(cell.held - cell.reserved)) {
          refused = true;
          return false;
        }
        cell.reserved = cell.held;
      }
      cell.there++;
      if (cell.isComplete()) {
        expected = Math.max(expected, cell.there);
        chunks.removeFirst();
      }
      return true;
    }

    private boolean encode(Lane lane) {
      Cell cell = lane.cell;
      if (cell == null) {
        if (units.isEmpty()) {
          return false;
        }
        lane.cell = units.remove(random.nextInt(units.size()));
        lane.read = 0;
        return true;
      }
      if (lane.read < cell.there) {
        lane.read++;
        return true;
      }
      if (!cell.isComplete()) {
        return false;
      }
      lane.cell = null;
      cell.unread--;
      if (cell.unread == 0) {
        budget.give(cell.reserved);
        left--;
      }
      return true;
    }
  }

  @Test
  void whateverTheSizesNobodyIsStuckAndNothingIsBeyondTheRoom() {
    int refused = 0;
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      Model model = new Model(seed);
      try {
        model.run();
      } catch (AssertionError failure) {
        throw new AssertionError("Run again with -Dfairlead.seed=" + seed, failure);
      }
      refused += model.refused ? 1 : 0;
    }
    assertThat(refused).as("some of them are too large").isBetween(1, ROUNDS / 2);
  }
}
