package dev.fairlead.nativecode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A process that was started with fewer rights than this one has. It has no standard input; its
 * standard output and error are appended to a file.
 *
 * <p>Rights are given up by a thread, for good, and every thread and process that it starts
 * inherits that. A thread of Java's that starts a process leaves another one behind, which waits
 * for the end of the process and then wakes whoever waits for it in Java; where that is a virtual
 * thread, waking it may start a carrier thread, on which any other virtual thread may run from then
 * on. All of these would be confined with the process. So the thread that gives up rights does
 * nothing but start the process, through {@code posix_spawn}, and end; and a thread that has kept
 * its rights waits for both.
 */
public final class ConfinedProcess extends Process {
  private static final int TERMINATE = 15;
  private static final int KILL = 9;

  private final int pid;
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private boolean reaped;

  private ConfinedProcess(int pid) {
    this.pid = pid;
  }

  /**
   * Starts a program.
   *
   * @param command the program, by its path, and its arguments
   * @param environment all variables that it sees
   * @param output what it prints is appended to this file, which the rules allow to be written
   * @throws IOException if the kernel refuses to confine it, or to start it
   */
  public static ConfinedProcess start(
      List<String> command, Map<String, String> environment, Path output, Landlock.Rules rules)
      throws IOException {
    Spawn spawn = new Spawn(command, environment, output);
    CompletableFuture<ConfinedProcess> started = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("fairlead waits for a worker")
        .start(() -> attend(spawn, rules, started));
    try {
      return started.join();
    } catch (CompletionException failed) {
      Throwable cause = failed.getCause();
      String reason = cause == null ? failed.getMessage() : cause.getMessage();
      throw new IOException(
          "%s cannot be started confined: %s".formatted(command.getFirst(), reason), cause);
    }
  }

  /** Has the process started and waits for its end, on a thread that keeps its rights. */
  private static void attend(
      Spawn spawn, Landlock.Rules rules, CompletableFuture<ConfinedProcess> started) {
    ConfinedProcess process;
    try {
      process = new ConfinedProcess(spawnConfined(spawn, rules));
    } catch (Throwable failure) {
      started.completeExceptionally(failure);
      return;
    }
    started.complete(process);
    process.reap();
  }

  private static int spawnConfined(Spawn spawn, Landlock.Rules rules) throws InterruptedException {
    // Only a platform thread waits for this one: its end starts no other thread.
    class Confined extends Thread {
      int pid;
      @Nullable Throwable failure;

      Confined() {
        super("fairlead starts a worker");
      }

      @Override
      public void run() {
        try {
          Landlock.confineThread(rules);
          pid = spawn.run();
        } catch (Throwable thrown) {
          failure = thrown;
        }
      }
    }

    Confined thread = new Confined();
    thread.setDaemon(true);
    thread.start();
    thread.join();
    Throwable failure = thread.failure;
    if (failure != null) {
      throw new IllegalStateException(failure.getMessage(), failure);
    }
    return thread.pid;
  }

  /** While it is not reaped, its number is no other process's. */
  private void reap() {
    Spawn.awaitEnd(pid);
    int code;
    synchronized (this) {
      code = Spawn.reap(pid);
      reaped = true;
    }
    exit.complete(code);
  }

  private synchronized void signal(int number) {
    if (!reaped) {
      Spawn.signal(pid, number);
    }
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public boolean isAlive() {
    return !exit.isDone();
  }

  @Override
  public int exitValue() {
    Integer code = exit.getNow(null);
    if (code == null) {
      throw new IllegalThreadStateException("Process %d has not ended".formatted(pid));
    }
    return code;
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return exit.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    try {
      exit.get(timeout, unit);
      return true;
    } catch (TimeoutException alive) {
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void destroy() {
    signal(TERMINATE);
  }

  @Override
  public Process destroyForcibly() {
    signal(KILL);
    return this;
  }

  @Override
  public OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return InputStream.nullInputStream();
  }
}
