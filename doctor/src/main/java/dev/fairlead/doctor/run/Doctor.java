package dev.fairlead.doctor.run;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.profile.Proofs;
import dev.fairlead.doctor.run.CheckProcess.Heard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at a machine and at each of its devices. Every device is looked at by a process of its own;
 * when that crashes or hangs, the check that ran is a failure, and another process goes on with the
 * next one.
 */
public final class Doctor {
  private static final Duration TO_PLAN = Duration.ofSeconds(90);
  private static final Duration TO_START = Duration.ofMinutes(1);
  private static final String REPORT =
      "The driver crashed or hangs: update it, restart the machine, and report it if it stays so";

  /** Told what goes on, on the thread that runs it. */
  public interface Listener {
    /** All that will be looked at. */
    void planned(List<Planned> plan);

    void began(Planned subject, String check);

    void found(Planned subject, Finding finding);
  }

  private final Options options;
  private final Listener listener;
  private final Map<String, String> environment;
  private final List<Finding> findings = new ArrayList<>();

  public Doctor(Options options, Listener listener) {
    this(options, listener, Map.of());
  }

  /** One whose processes have more in their environment. */
  Doctor(Options options, Listener listener, Map<String, String> environment) {
    this.options = options;
    this.listener = listener;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Looks at everything.
   *
   * @param before what was proven earlier
   */
  public Checkup run(Profile before) throws InterruptedException {
    try {
      List<Planned> plan = new ArrayList<>(List.of(Planning.machine()));
      plan.addAll(plan());
      listener.planned(plan);
      for (Planned subject : plan) {
        run(subject);
      }
      Map<String, Profile.Key> keys = new LinkedHashMap<>();
      plan.forEach(each -> each.key().ifPresent(key -> keys.put(each.subject(), key)));
      return new Checkup(plan, findings, Proofs.of(findings, keys, before));
    } catch (IOException failure) {
      throw new UncheckedIOException("A process that looks at devices cannot be started", failure);
    }
  }

  private List<Planned> plan() throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    List<Planned> all = plan(Planning.EVERYTHING, problems);
    if (problems.isEmpty()) {
      return all;
    }
    List<Planned> some = new ArrayList<>();
    for (String scheme : Planning.ONE_BY_ONE) {
      List<String> own = new ArrayList<>();
      plan(scheme, own).stream()
          .filter(each -> !each.subject().equals(Planned.ALL))
          .forEach(some::add);
      own.forEach(problem ->
          add(
              Planning.machine(),
              Finding.fail(
                      "asked for devices of %s, the process %s".formatted(scheme, problem), REPORT)
                  .of("devices." + scheme, Planned.MACHINE)));
    }
    return some;
  }

  /** What there is to look at, by a process that may be lost. */
  private List<Planned> plan(String terms, List<String> problems)
      throws IOException, InterruptedException {
    try (CheckProcess process =
        CheckProcess.start(environment, List.of(ChildMain.PLAN, options.argument(), terms))) {
      switch (process.next(TO_PLAN)) {
        case Heard.Said(Message message) when message.plan() != null -> {
          return message.plan();
        }
        case Heard.Said _ -> problems.add("said something else");
        case Heard.Ended(String how) -> problems.add(how);
        case Heard.Silent _ ->
            problems.add("did not answer for %d s".formatted(TO_PLAN.toSeconds()));
      }
      return List.of();
    }
  }

  /** Runs the checks of a subject, in as many processes as that takes. */
  private void run(Planned subject) throws IOException, InterruptedException {
    Planned left = subject;
    while (!left.checks().isEmpty()) {
      left = left.after(some(left));
    }
  }

  /** Runs checks until the end or until the process is lost: how many there were. */
  private int some(Planned subject) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(ChildMain.CHECK, options.argument()));
    arguments.addAll(List.of(subject.subject(), subject.terms()));
    subject.checks().forEach(step -> arguments.add(step.id()));
    try (CheckProcess process = CheckProcess.start(environment, arguments)) {
      int done = 0;
      while (done < subject.checks().size()) {
        Planned.Step step = subject.checks().get(done);
        Duration patience = Duration.ofSeconds(step.patienceSeconds()).plus(TO_START);
        switch (process.next(patience)) {
          case Heard.Said(Message message) when message.finding() != null -> {
            add(subject, message.finding());
            done++;
          }
          case Heard.Said(Message message) when message.begun() != null ->
              listener.began(subject, message.begun());
          case Heard.Said _ -> {
            add(subject, lost(step, subject, "has not run it"));
            done++;
          }
          case Heard.Ended(String how) -> {
            add(subject, lost(step, subject, how));
            return done + 1;
          }
          case Heard.Silent _ -> {
            add(
                subject,
                lost(step, subject, "gave no answer for %d s".formatted(patience.toSeconds())));
            return done + 1;
          }
        }
      }
      return done;
    }
  }

  private static Finding lost(Planned.Step step, Planned subject, String how) {
    return Finding.fail("the process that looked " + how, REPORT).of(step.id(), subject.subject());
  }

  private void add(Planned subject, Finding finding) {
    findings.add(finding);
    listener.found(subject, finding);
  }
}
