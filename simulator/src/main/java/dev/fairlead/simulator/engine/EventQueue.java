package dev.fairlead.simulator.engine;

import java.util.Arrays;

/**
 * Events by time: a heap of four children a node in two arrays. Those of one time come in no order
 * that means anything, but always in the same.
 */
final class EventQueue {
  private long[] times = new long[1024];
  private long[] events = new long[1024];
  private int size;

  /** An event in one long. */
  static long event(int type, int index, int generation) {
    return (long) type << 56 | (long) generation << 32 | index;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** The time of the first; for ever if there is none. */
  long time() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  long event() {
    return events[0];
  }

  void add(long time, long event) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      events = Arrays.copyOf(events, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >> 2;
      if (times[parent] <= time) {
        break;
      }
      times[at] = times[parent];
      events[at] = events[parent];
      at = parent;
    }
    times[at] = time;
    events[at] = event;
  }

  void removeFirst() {
    size--;
    long time = times[size];
    long event = events[size];
    int at = 0;
    while (true) {
      int child = (at << 2) + 1;
      if (child >= size) {
        break;
      }
      int least = child;
      int last = Math.min(child + 4, size);
      for (int other = child + 1; other < last; other++) {
        if (times[other] < times[least]) {
          least = other;
        }
      }
      if (times[least] >= time) {
        break;
      }
      times[at] = times[least];
      events[at] = events[least];
      at = least;
    }
    times[at] = time;
    events[at] = event;
  }
}
