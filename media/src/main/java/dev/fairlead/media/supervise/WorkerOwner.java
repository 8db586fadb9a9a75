package dev.fairlead.media.supervise;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a job does when a worker ends or a chunk is there. */
public interface WorkerOwner {
  /** What a new worker has to decode; null if nothing. */
  Command.@Nullable Decode toDecode();

  void reported(Report report);

  /** A worker died with these units in it. */
  void crashed(Set<UnitId> units, String reason);
}
