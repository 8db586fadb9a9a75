package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * What the journal of a finished job says was done twice.
 *
 * @param chunks that began to be encoded after they were committed
 * @param packages one if a file was published after all were
 */
record JobJournal(int chunks, int packages) {
  private static final int KIND = 1;
  private static final int UNIT = 2;

  static JobJournal read(Path output) throws IOException {
    Set<String> committed = new HashSet<>();
    int chunks = 0;
    boolean finished = false;
    boolean again = false;
    for (String line : Files.readAllLines(output.resolve(".fairlead/journal"))) {
      String[] values = line.split("\t", -1);
      switch (values[KIND]) {
        case "committed" -> committed.add(values[UNIT]);
        case "started" -> chunks += committed.contains(values[UNIT]) ? 1 : 0;
        case "published" -> again |= finished;
        case "finished" -> finished = true;
        default -> {}
      }
    }
    return new JobJournal(chunks, again ? 1 : 0);
  }
}
