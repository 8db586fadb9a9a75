package dev.fairlead.media.settings;

/** The system properties by which a parent configures the JVM of its worker. */
public final class WorkerProperties {
  /** How much memory the process may use, in bytes; no limit if it is not there. */
  public static final String MEMORY = "fairlead.memory";

  /** Whether the worker ends in an orderly way, so that its JVM can write files at the end. */
  public static final String ORDERLY_END = "fairlead.worker.orderly";

  private WorkerProperties() {}
}
