package dev.fairlead.service.index;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * A connection and the platform thread that alone uses it: a native call would hold the carrier of
 * a virtual one. Each piece of work is a transaction. Thread-safe.
 */
final class SqlThread implements AutoCloseable {
  private final Connection connection;
  private final ExecutorService thread;

  SqlThread(String name, Connection connection) {
    this.connection = connection;
    this.thread =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory());
  }

  /** Does a piece of work, and waits for it; an interrupt is kept for later. */
  <T> T run(Index.Work<T> work) {
    Future<T> future;
    try {
      future = thread.submit(() -> transact(work));
    } catch (RejectedExecutionException closed) {
      throw new IllegalStateException("The index is closed", closed);
    }
    return await(future);
  }

  private <T> T transact(Index.Work<T> work) throws SQLException {
    boolean done = false;
    try {
      T made = work.on(connection);
      connection.commit();
      done = true;
      return made;
    } finally {
      if (!done) {
        connection.rollback();
      }
    }
  }

  private static <T> T await(Future<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof RuntimeException own) {
        throw own;
      }
      throw new IndexException("The index of jobs cannot be used: " + cause, failed);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends when what was asked before is done. */
  @Override
  public void close() {
    thread.close();
    try {
      connection.close();
    } catch (SQLException late) {
      throw new IndexException("The index of jobs cannot be closed", late);
    }
  }
}
