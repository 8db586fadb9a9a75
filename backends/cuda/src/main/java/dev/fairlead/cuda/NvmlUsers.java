package dev.fairlead.cuda;

import java.util.List;
import java.util.function.LongPredicate;

/**
 * Who uses a device at one moment.
 *
 * @param computing the processes that compute on it
 * @param encoding the process of each encoder session on it
 */
record NvmlUsers(List<Integer> computing, List<Integer> encoding) {
  NvmlUsers {
    computing = List.copyOf(computing);
    encoding = List.copyOf(encoding);
  }

  /**
   * Computing processes and encoder sessions of others.
   *
   * @param own whether a process is this one, or one that it has started
   */
  int foreignStreams(LongPredicate own) {
    return others(computing, own) + others(encoding, own);
  }

  private static int others(List<Integer> pids, LongPredicate own) {
    return (int) pids.stream().filter(pid -> !own.test(Integer.toUnsignedLong(pid))).count();
  }
}
