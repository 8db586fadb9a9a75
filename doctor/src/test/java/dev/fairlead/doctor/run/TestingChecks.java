package dev.fairlead.doctor.run;

import dev.fairlead.doctor.TestingMachine;
import dev.fairlead.doctor.check.Effort;
import dev.fairlead.doctor.check.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs checks on a made-up machine, in a process of its own as the command does. */
final class TestingChecks {
  /** As little as shows everything. */
  static final Effort LITTLE = new Effort(12, 3, 1, 1, new Effort.Clip(3, 360));

  static final Options THOROUGH = new Options(true, false, LITTLE);

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private TestingChecks() {}

  static Finding run(TestingMachine machine, String subject, String id) throws Exception {
    return run(machine, subject, id, THOROUGH);
  }

  static Finding run(TestingMachine machine, String subject, String id, Options options)
      throws Exception {
    return run(machine, subject, List.of(id), options).getFirst();
  }

  /** Runs several in one process. */
  static List<Finding> run(
      TestingMachine machine, String subject, List<String> ids, Options options) throws Exception {
    machine.use();
    List<String> arguments =
        new ArrayList<>(
            List.of(ChildMain.CHECK, options.argument(), subject, terms(machine, subject)));
    arguments.addAll(ids);
    List<Finding> findings = new ArrayList<>();
    try (CheckProcess process = CheckProcess.start(machine.environment(), arguments)) {
      while (findings.size() < ids.size()) {
        switch (process.next(PATIENCE)) {
          case CheckProcess.Heard.Said(Message message) when message.finding() != null ->
              findings.add(message.finding());
          case CheckProcess.Heard.Said _ -> {}
          case CheckProcess.Heard.Ended(String how) ->
              throw new AssertionError("%s of %s: the process %s".formatted(ids, subject, how));
          case CheckProcess.Heard.Silent _ -> throw new AssertionError(ids + " gave no answer");
        }
      }
    } finally {
      TestingMachine.restore();
    }
    return findings;
  }

  private static String terms(TestingMachine machine, String subject) {
    return switch (subject) {
      case Planned.MACHINE -> machine.hasNvidia() ? "cuda" : "encoder";
      case Planned.ALL -> "cuda,cpu:1";
      default -> subject;
    };
  }
}
