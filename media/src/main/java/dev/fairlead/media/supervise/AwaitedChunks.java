package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Command;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which chunks the worker of the moment has, and which units wait for. For one thread at a time.
 */
final class AwaitedChunks {
  private final Set<Long> ready = new HashSet<>();
  private final Set<Long> awaited = new HashSet<>();

  void ready(long chunk) {
    ready.add(chunk);
    awaited.remove(chunk);
  }

  /** Whether the worker has a chunk; one that it lacks is asked for, once. */
  boolean has(long chunk, @Nullable Worker worker) {
    if (worker != null && ready.contains(chunk)) {
      return true;
    }
    if (awaited.add(chunk) && worker != null) {
      worker.send(new Command.Hurry(chunk));
    }
    return false;
  }

  /** The chunk is not needed any more. */
  void release(long chunk, Worker worker) {
    if (ready.remove(chunk)) {
      worker.send(new Command.Release(chunk));
    }
  }

  /** The worker is gone, and its chunks with it. */
  void lose() {
    ready.clear();
  }

  /** A new worker decodes: it is told what units wait for. */
  void hurry(Worker fresh) {
    awaited.forEach(chunk -> fresh.send(new Command.Hurry(chunk)));
  }
}
