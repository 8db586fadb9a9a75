package dev.fairlead.simulator.rule;

import dev.fairlead.simulator.engine.Tasks;

/** First in, first out, through the tasks' own links. */
final class Line {
  private final Tasks tasks;
  private int first = Tasks.NONE;
  private int last = Tasks.NONE;

  Line(Tasks tasks) {
    this.tasks = tasks;
  }

  boolean isEmpty() {
    return first == Tasks.NONE;
  }

  /** Who has stood in it longest; {@link Tasks#NONE} if nobody stands in it. */
  int first() {
    return first;
  }

  void add(int task) {
    tasks.next(task, Tasks.NONE);
    if (first == Tasks.NONE) {
      first = task;
    } else {
      tasks.next(last, task);
    }
    last = task;
  }

  int removeFirst() {
    int task = first;
    first = tasks.next(task);
    return task;
  }

  /** Lets all leave who stand before {@code task}; all of them if it is {@link Tasks#NONE}. */
  void beginWith(int task) {
    first = task;
  }

  /** Lets one leave who stands behind {@code previous}, {@link Tasks#NONE} for the first. */
  void remove(int task, int previous) {
    int after = tasks.next(task);
    if (previous == Tasks.NONE) {
      first = after;
    } else {
      tasks.next(previous, after);
    }
    if (last == task) {
      last = previous;
    }
  }
}
