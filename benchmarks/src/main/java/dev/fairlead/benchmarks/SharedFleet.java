package dev.fairlead.benchmarks;

import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.io.IOException;

/** Where jobs of tenants share devices: a host in this process, or a service. */
interface SharedFleet extends AutoCloseable {
  /** Takes one more job. */
  JobId submit(Tenant tenant, Priority priority) throws IOException, InterruptedException;

  /**
   * How many jobs of a tenant wait or run.
   *
   * @throws IllegalStateException if one has failed
   */
  long present(Tenant tenant) throws InterruptedException;

  /** Chunks that can be encoded at a time. */
  int lanes();

  /** Ends all that goes on. */
  @Override
  void close();
}
