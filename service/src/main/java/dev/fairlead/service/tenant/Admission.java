package dev.fairlead.service.tenant;

import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether one more job is taken: by what its tenant has, then by what there is in all, then by the
 * disk. One is let in at a time, so that none comes in beside another. Thread-safe.
 */
public final class Admission {
  /** Jobs that are not over; one more is refused until some are. */
  static final int MOST_JOBS = 10_000;

  private static final String RETRY_SECONDS = "30";

  private final Tenants tenants;
  private final Supplier<List<JobStatus>> jobs;
  private final BooleanSupplier shortOfDisk;

  /**
   * Admission to a host.
   *
   * @param jobs all of them
   * @param shortOfDisk whether less is left free than is to be
   */
  public Admission(Tenants tenants, Supplier<List<JobStatus>> jobs, BooleanSupplier shortOfDisk) {
    this.tenants = tenants;
    this.jobs = jobs;
    this.shortOfDisk = shortOfDisk;
  }

  /**
   * Takes a job in, or says why not.
   *
   * @param source what it reads
   * @param taken what is done if it is let in
   */
  public synchronized <T> T admit(String tenant, Path source, Supplier<T> taken) {
    List<JobStatus> pending = jobs.get().stream().filter(job -> !job.state().isOver()).toList();
    List<JobStatus> own = pending.stream().filter(job -> job.tenant().equals(tenant)).toList();
    TenantTerms terms = tenants.terms(tenant);
    long waiting = own.stream().filter(job -> job.state() != JobState.RUNNING).count();
    if (waiting >= terms.queued()) {
      throw tooMany(
          "%,d jobs of tenant %s wait already, and no more than %,d may"
              .formatted(waiting, tenant, terms.queued()));
    }
    terms.maxBytes().ifPresent(most -> requireBytes(tenant, size(source), most, own));
    if (pending.size() >= MOST_JOBS) {
      throw tooMany("%,d jobs are not over yet, which is the most".formatted(MOST_JOBS));
    }
    if (shortOfDisk.getAsBoolean()) {
      throw Problem.of(
          Status.NO_SPACE,
          "Too little room is left on the disk of the server; jobs that run wait for more, too");
    }
    return taken.get();
  }

  private static void requireBytes(String tenant, long bytes, long most, List<JobStatus> own) {
    if (bytes > most) {
      throw Problem.flaw(
          "",
          "The source has %,d bytes; tenant %s may have %,d at a time"
              .formatted(bytes, tenant, most));
    }
    long there = own.stream().mapToLong(job -> size(job.input())).sum();
    if (there + bytes > most) {
      throw tooMany(
          "The sources of tenant %s have %,d bytes already, and no more than %,d may wait or run"
              .formatted(tenant, there, most));
    }
  }

  private static Problem tooMany(String detail) {
    return Problem.of(Status.TOO_MANY, detail).withHeader("Retry-After", RETRY_SECONDS);
  }

  /** One that is not there any more takes no room. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      return 0;
    }
  }
}
