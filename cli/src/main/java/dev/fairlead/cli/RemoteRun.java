package dev.fairlead.cli;

import dev.fairlead.service.client.ServiceClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Transcodes at a service, each on a thread of its own; Ctrl-C pauses their jobs. */
final class RemoteRun {
  private final ServiceClient client;
  private final List<RemoteOrder> orders;
  private final RemoteDisplay display;
  private final long begun = System.nanoTime();

  RemoteRun(ServiceClient client, List<RemoteOrder> orders, RemoteDisplay display) {
    this.client = client;
    this.orders = List.copyOf(orders);
    this.display = display;
  }

  private record Task(FutureTask<RemoteEnd> end, Thread thread) {}

  /** Runs all to their ends; the exit code of the worst. */
  int run() {
    Thread caller = Thread.currentThread();
    try (display;
        CtrlC _ = CtrlC.cancels(caller::interrupt)) {
      List<Task> tasks = orders.stream().map(this::start).toList();
      List<RemoteEnd> ends = new ArrayList<>();
      for (Task task : tasks) {
        ends.add(await(task, tasks));
      }
      int code = JobsRun.worst(ends.stream().map(RemoteEnd::code).toList());
      display.over(ends, code, (System.nanoTime() - begun) / 1e9);
      return code;
    }
  }

  private Task start(RemoteOrder order) {
    FutureTask<RemoteEnd> end =
        new FutureTask<>(() -> {
          RemoteEnd ended = new RemoteTranscode(client, order, display).run();
          display.ended(ended);
          return ended;
        });
    return new Task(end, Thread.ofVirtual().name("fairlead " + order.name()).start(end));
  }

  /** Its end; interrupted, all come to one soon. */
  private static RemoteEnd await(Task task, List<Task> all) {
    while (true) {
      try {
        return task.end().get();
      } catch (InterruptedException stopped) {
        all.forEach(each -> each.thread().interrupt());
      } catch (ExecutionException mistake) {
        throw new IllegalStateException(String.valueOf(mistake.getCause()), mistake.getCause());
      }
    }
  }
}
