package dev.fairlead.pool;

import dev.fairlead.event.PoolListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it hears. */
public final class TestingListener implements PoolListener {
  private final List<Event> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(Event event) {
    events.add(event);
  }

  /** All events of one kind so far, oldest first, once the pool has told all that has happened. */
  public <E extends Event> List<E> heard(DevicePool pool, Class<E> kind) {
    if (!pool.core().events().settle(TestingPools.LONG)) {
      throw new AssertionError("The pool still has something to tell");
    }
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
