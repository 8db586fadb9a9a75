package dev.fairlead.media.local;

import dev.fairlead.media.host.EventRing;
import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.Records;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.policy.FairShares;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What happens to jobs, written down where there are records, and told. What a job's owner wants
 * has to be written; without the rest a job goes on, and says so. Thread-safe.
 */
final class HostDiary {
  private final Optional<HostRecords> records;
  private final EventRing events;
  private final Supplier<FairShares> shares;
  private final Consumer<JobStatus> ended;

  HostDiary(
      Optional<HostRecords> records,
      EventRing events,
      Supplier<FairShares> shares,
      Consumer<JobStatus> ended) {
    this.records = records;
    this.events = events;
    this.shares = shares;
    this.ended = ended;
  }

  void changed(HostedJob job, JobState state, String reason) {
    events.add(job.id(), new HostEvent.What.Changed(state, reason));
    if (!state.isOver()) {
      Optional<Instant> now = Optional.of(Instant.now());
      note(job, store -> store.add(job.id(), new JobEntry.Changed(state, reason, now)));
    }
    if (state == JobState.PARKED || state == JobState.PAUSED) {
      note(job, store -> store.add(job.id(), new JobEntry.Worked(job.status().facts())));
    }
    if (state.isOver() || state == JobState.PARKED) {
      note(job, store -> store.keep(shares.get()));
    }
  }

  /** Records what is known of a job, then its end, and tells the owner of the host. */
  void ended(HostedJob job, JobEnd end, JobStatus last) {
    note(job, store -> store.add(job.id(), new JobEntry.Worked(last.facts())));
    note(job, store -> store.end(job.id(), end));
    ended.accept(last);
  }

  /** Records what the owner of a job wants; after this it holds for the next host as well. */
  void record(HostedJob job, JobEntry entry) {
    records.ifPresent(store -> store.add(job.id(), entry));
  }

  /** Keeps what tenants have had, now and then. */
  void look(HostedJob job) {
    note(job, store -> store.keepNowAndThen(shares));
  }

  private void note(HostedJob job, Consumer<HostRecords> what) {
    try {
      records.ifPresent(what);
    } catch (UncheckedIOException failure) {
      lacksRecord(job, FileTrouble.words(failure));
    } catch (Records.Gone failure) {
      lacksRecord(job, String.valueOf(failure.getMessage()));
    }
  }

  private void lacksRecord(HostedJob job, String why) {
    String notice = "Its record cannot be written: " + why;
    events.add(
        job.id(), new HostEvent.What.Reported(new TranscodeListener.Event.Noticed(0, notice)));
  }
}
