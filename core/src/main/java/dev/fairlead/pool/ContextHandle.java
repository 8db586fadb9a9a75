package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.run.OpenContext;
import org.jspecify.annotations.Nullable;

/**
 * A device's context in one generation, for use on threads of your own, outside of leases. It
 * reserves nothing, and the pool places work beside it.
 *
 * <pre>{@code
 * try (ContextHandle.Bound bound = pool.context(id).bind()) {
 *   use(bound.context(MyContext.class));
 * }
 * }</pre>
 *
 * <p>A context that is bound is not closed: closing the pool, removing the device and rebuilding
 * the context wait for its scopes as long as their patience allows. Afterwards the handle is stale.
 */
public final class ContextHandle {
  /** The innermost scope of each thread: what was bound before it is not current. */
  private static final ThreadLocal<@Nullable Bound> INNERMOST = new ThreadLocal<>();

  private final PoolCore pool;
  private final DeviceRuntime runtime;
  private final int generation;

  ContextHandle(PoolCore pool, DeviceRuntime runtime) {
    this.pool = pool;
    this.runtime = runtime;
    this.generation = runtime.ledger().generation();
  }

  public Device device() {
    return runtime.device();
  }

  /** The device's index in the pool. */
  public int index() {
    return runtime.ledger().index();
  }

  /** The generation of the context that this handle is good for. */
  public int generation() {
    return generation;
  }

  /**
   * Binds the context on the current thread until the scope is closed, on the same thread. Scopes
   * may be nested: the innermost is current.
   *
   * @throws PoolException.StaleGeneration if the context was rebuilt since the handle was given
   * @throws PoolException.NoContext if the device has none now
   * @throws PoolException.PoolClosed if the pool is closed
   */
  public Bound bind() {
    pool.checkOpen();
    openForUse();
    OpenContext open = runtime.contexts().open();
    boolean entered = open.enter();
    try {
      // A thread that closes it moves the generation first or shuts users out: one of the two is
      // seen.
      check(open, entered);
      open.context().bindGuest();
    } catch (Throwable refusal) {
      if (entered) {
        open.exit();
      }
      throw refusal;
    }
    return new Bound(this, open);
  }

  private void openForUse() {
    try {
      runtime.contexts().openFor(Demand.any());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new PoolException.NoContext(
          device(), "the thread was interrupted before it had opened", interrupted);
    }
  }

  private void check(OpenContext open, boolean entered) {
    int current = runtime.ledger().generation();
    if (current != generation) {
      throw PoolException.StaleGeneration.ofHandle(device(), generation, current);
    }
    if (runtime.isClosed()) {
      pool.checkOpen();
      throw new PoolException.NoContext(device(), "it has left the pool");
    }
    if (!entered || open.isAbsent() || open.generation() != generation) {
      throw new PoolException.NoContext(
          device(), "it " + runtime.ledger().serving(serving -> serving.describe(pool.now())));
    }
  }

  @Override
  public String toString() {
    return "ContextHandle[%s at %d, generation %d]".formatted(device(), index(), generation);
  }

  /** A context that is bound on a thread, until it is closed there. */
  public static final class Bound implements AutoCloseable {
    private final ContextHandle handle;
    private final OpenContext open;
    private final Thread thread = Thread.currentThread();
    private final @Nullable Bound outer = INNERMOST.get();
    private boolean closed;

    private Bound(ContextHandle handle, OpenContext open) {
      this.handle = handle;
      this.open = open;
      INNERMOST.set(this);
    }

    public Device device() {
      return handle.device();
    }

    public int generation() {
      return handle.generation();
    }

    /** The backend's own context. */
    public <C extends DeviceContext> C context(Class<C> type) {
      requireThread();
      if (INNERMOST.get() != this) {
        throw new IllegalStateException(
            closed
                ? "The scope of %s is closed: bind it again".formatted(device())
                : "Another context was bound within the scope of %s: close that one first"
                    .formatted(device()));
      }
      return open.context().as(type, device());
    }

    private void requireThread() {
      if (!thread.equals(Thread.currentThread())) {
        throw new WrongThreadException(
            "%s was bound on \"%s\" and is not on \"%s\": bind it there"
                .formatted(device(), thread.getName(), Thread.currentThread().getName()));
      }
    }

    /**
     * Ends the scope, on the thread that has bound it; scopes within it are to be closed before.
     */
    @Override
    public void close() {
      requireThread();
      if (closed) {
        return;
      }
      if (INNERMOST.get() != this) {
        throw new IllegalStateException(
            "A scope within that of %s is still open: close that one first".formatted(device()));
      }
      closed = true;
      if (outer == null) {
        INNERMOST.remove();
      } else {
        INNERMOST.set(outer);
      }
      try {
        open.context().unbind();
      } finally {
        open.exit();
      }
    }

    @Override
    public String toString() {
      return "Bound[%s, generation %d]".formatted(device(), generation());
    }
  }
}
