package dev.fairlead.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it hears. */
public final class TestingListener implements PoolListener {
  private final List<Event> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(Event event) {
    events.add(event);
  }

  /** All events of one kind, oldest first. */
  public <E extends Event> List<E> heard(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
