package dev.fairlead.cuda;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * This process and those that it has started, in whatever generation: what they do on a device is
 * no load of others. What a process is stays known as long as it is asked for in every round, so
 * that the system is asked once for each.
 *
 * <p>A process whose starter has ended belongs to the system from then on; one that was known as
 * own before stays so.
 */
final class OwnProcesses {
  /** More generations than anybody has; a bound, since processes come and go meanwhile. */
  private static final int MOST_GENERATIONS = 64;

  private final long self = ProcessHandle.current().pid();
  private Map<Long, Boolean> known = Map.of();

  /** A round of questions; what is not asked for in it is forgotten. */
  LongPredicate round() {
    Map<Long, Boolean> before = known;
    Map<Long, Boolean> now = new HashMap<>();
    known = now;
    return pid ->
        now.computeIfAbsent(pid, each -> before.containsKey(each) ? before.get(each) : isOwn(each));
  }

  private boolean isOwn(long pid) {
    Optional<ProcessHandle> each = ProcessHandle.of(pid);
    for (int i = 0; i < MOST_GENERATIONS && each.isPresent(); i++) {
      if (each.get().pid() == self) {
        return true;
      }
      each = each.get().parent();
    }
    return false;
  }
}
