package dev.fairlead.doctor.run;

import dev.fairlead.doctor.TestingMachine;
import dev.fairlead.doctor.check.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Runs one check on a made-up machine, in a process of its own as the command does. */
final class TestingChecks {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private TestingChecks() {}

  static Finding run(TestingMachine machine, String subject, String id) throws Exception {
    return run(machine, subject, id, new Options(true, false));
  }

  static Finding run(TestingMachine machine, String subject, String id, Options options)
      throws Exception {
    machine.use();
    String terms =
        switch (subject) {
          case Planned.MACHINE -> "cuda";
          case Planned.ALL -> "cuda,cpu:1";
          default -> subject;
        };
    try (CheckProcess process =
        CheckProcess.start(
            machine.environment(),
            List.of(
                ChildMain.CHECK,
                subject,
                terms,
                String.valueOf(options.thorough()),
                String.valueOf(options.evenIfBusy()),
                id))) {
      while (true) {
        switch (process.next(PATIENCE)) {
          case CheckProcess.Heard.Said(Message message) when message.finding() != null -> {
            return Objects.requireNonNull(message.finding());
          }
          case CheckProcess.Heard.Said _ -> {}
          case CheckProcess.Heard.Ended(String how) ->
              throw new AssertionError("%s of %s: the process %s".formatted(id, subject, how));
          case CheckProcess.Heard.Silent _ -> throw new AssertionError(id + " gave no answer");
        }
      }
    } finally {
      TestingMachine.restore();
    }
  }
}
