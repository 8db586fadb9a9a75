package dev.fairlead.media.scale;

import dev.fairlead.media.av.Picture;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Scales on a thread of its own, a few pictures ahead of the reader. The thread has ended when
 * {@link #close} returns, so that no picture of the chunk is read after that.
 *
 * <p>State line: SCALING → ENDED, FAILED or CLOSED.
 */
final class ScaledAhead implements ScaledPictures {
  private final ScaledPictures source;
  private final int most;
  private final Thread thread;

  // Guarded by this.
  private final Deque<Picture> ready = new ArrayDeque<>();
  private long waited;
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable failure;

  private ScaledAhead(ScaledPictures source, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most is less than one: " + most);
    }
    this.source = source;
    this.most = most;
    this.thread = Thread.ofPlatform().daemon().name("scaling").unstarted(this::scale);
  }

  static ScaledAhead start(ScaledPictures source, int most) {
    ScaledAhead ahead = new ScaledAhead(source, most);
    ahead.thread.start();
    return ahead;
  }

  private void scale() {
    try {
      while (awaitRoom()) {
        Picture next = source.next();
        if (next == null) {
          end(null);
          return;
        }
        add(next);
      }
    } catch (InterruptedException stopped) {
      // It is being closed.
    } catch (RuntimeException | Error failed) {
      end(failed);
    }
  }

  private synchronized boolean awaitRoom() throws InterruptedException {
    while (ready.size() >= most && !closed) {
      wait();
    }
    return !closed;
  }

  private synchronized void add(Picture picture) {
    ready.add(picture);
    notifyAll();
  }

  private synchronized void end(@Nullable Throwable why) {
    ended = true;
    failure = why;
    notifyAll();
  }

  @Override
  public synchronized @Nullable Picture next() throws InterruptedException {
    long asked = System.nanoTime();
    while (ready.isEmpty() && !ended) {
      wait();
    }
    waited += System.nanoTime() - asked;
    Picture next = ready.poll();
    notifyAll();
    if (next == null && failure instanceof Error error) {
      throw error;
    }
    if (next == null && failure instanceof RuntimeException exception) {
      throw exception;
    }
    return next;
  }

  @Override
  public synchronized long waitedNanos() {
    return waited;
  }

  /** How many pictures are ready and not read. */
  synchronized int ready() {
    return ready.size();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    thread.interrupt();
    awaitEnd();
    ready.forEach(Picture::close);
    ready.clear();
    source.close();
  }

  private void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
