package dev.fairlead.media.records;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The log of a job: {@code jobs/ID} with entries that are numbered from zero on, and its end, one
 * name that is created if absent. Whatever several processes append, each entry has a number of its
 * own, and the job has one end. A job that has ended can be opened again ({@code again-1}), and has
 * one more end then ({@code end-1}). Thread-safe.
 */
public final class JobLog {
  private static final String JOBS = "jobs";
  private static final String END = "end";
  private static final String AGAIN = "again";

  private final Records records;
  private final JobId id;

  private JobLog(Records records, JobId id) {
    this.records = records;
    this.id = id;
  }

  /** Begins the log of a new job. */
  public static JobLog begin(Records records, JobId id, String first) {
    JobLog log = new JobLog(records, id);
    if (records.create(log.name(RecordName.FIRST), bytes(first)) == Records.Owner.THEIRS) {
      throw new IllegalArgumentException("Job %s has a log already".formatted(id));
    }
    return log;
  }

  /** The log of a job that was begun before. */
  public static JobLog of(Records records, JobId id) {
    return new JobLog(records, id);
  }

  /** All jobs that have a log, the oldest first; what has another name is not theirs. */
  public static List<JobId> jobs(Records records) {
    return records.list(JOBS).stream()
        .map(name -> name.split("/", -1)[1])
        .distinct()
        .filter(JobId::isOne)
        .map(JobId::new)
        .toList();
  }

  public JobId id() {
    return id;
  }

  private String log() {
    return JOBS + "/" + id;
  }

  private String name(String entry) {
    return log() + "/" + entry;
  }

  /** Appends an entry; gives its number. */
  public long append(String entry) {
    // The first begins the log; one that was deleted is not to be begun again.
    long number = Math.max(1, numbered().size());
    while (records.create(name(RecordName.number(number)), bytes(entry)) == Records.Owner.THEIRS) {
      number++;
    }
    return number;
  }

  /** All entries in their order, without the end. */
  public List<String> entries() {
    return numbered().stream()
        .flatMap(name -> records.read(name).stream())
        .map(JobLog::text)
        .toList();
  }

  private List<String> numbered() {
    return records.list(log()).stream()
        .filter(name -> !name.startsWith(name(END)) && !name.startsWith(name(AGAIN)))
        .toList();
  }

  private List<String> named(String word) {
    return records.list(log()).stream().filter(name -> name.startsWith(name(word))).toList();
  }

  /** The name of the end that counts: the first, or the one after it was opened again. */
  private String endName() {
    int again = named(AGAIN).size();
    return name(again == 0 ? END : END + "-" + again);
  }

  /**
   * Opens a job that has ended again.
   *
   * @throws IllegalStateException if it has not ended
   */
  public void reopen() {
    if (end().isEmpty()) {
      throw new IllegalStateException("Job %s has not ended".formatted(id));
    }
    int number = named(AGAIN).size() + 1;
    records.create(name(AGAIN + "-" + number), bytes(AGAIN));
  }

  /** Ends the job, unless it has ended; gives the end that counts. */
  public JobEnd end(JobEnd end) {
    return records.create(endName(), bytes(end.text())) == Records.Owner.MINE
        ? end
        : end().orElseThrow(() -> new Records.Gone(log()));
  }

  /** How the job has ended; empty if it has not. */
  public Optional<JobEnd> end() {
    return records.read(endName()).map(JobLog::text).map(JobEnd::parse);
  }

  public boolean isOver() {
    return records.read(endName()).isPresent();
  }

  /** Whether it was begun to be deleted. */
  public boolean isHalfDeleted() {
    return isOver() && records.read(name(RecordName.FIRST)).isEmpty();
  }

  /** Deletes all of it, its first end last: what is half deleted is over. */
  public void delete() {
    // Another may append meanwhile.
    while (!records.list(log()).isEmpty()) {
      numbered().forEach(records::delete);
      named(AGAIN).forEach(records::delete);
      named(END).reversed().forEach(records::delete);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
