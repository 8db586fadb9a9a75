package dev.fairlead.media.local;

import dev.fairlead.media.host.MemoryBook;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.nio.file.Path;
import java.util.Map;

/** A job without a worker, which parks when the test has it leave. */
final class TestingTurnJob implements Turns.Job {
  private final JobId id = JobId.create();
  private final Tenant tenant;
  private final Priority priority;
  private final long bytes;
  private boolean parking;
  private boolean withSound;
  private String why = "";

  TestingTurnJob(Tenant tenant, Priority priority, long bytes) {
    this.tenant = tenant;
    this.priority = priority;
    this.bytes = bytes;
  }

  @Override
  public JobId id() {
    return id;
  }

  @Override
  public Tenant tenant() {
    return tenant;
  }

  @Override
  public Priority priority() {
    return priority;
  }

  @Override
  public Path output() {
    return Path.of("out", id.value());
  }

  @Override
  public MemoryBook.Need need() {
    return new MemoryBook.Need(bytes, Map.of());
  }

  @Override
  public boolean lacksDisk() {
    return false;
  }

  @Override
  public boolean isWanted() {
    return true;
  }

  @Override
  public boolean isParking() {
    return parking;
  }

  @Override
  public void waits(String reason) {
    why = reason;
  }

  @Override
  public void park(String reason, boolean sound) {
    parking = true;
    withSound = sound;
    why = reason;
  }

  @Override
  public void share(Seat.Share now) {}

  /** Has parked, and does not run any more. */
  void parked() {
    parking = false;
  }

  /** Whether an audio track is made to its end before it parks. */
  boolean isWithSound() {
    return withSound;
  }

  /** Why it waits, or parks. */
  String why() {
    return why;
  }
}
