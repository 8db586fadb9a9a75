package dev.fairlead.cli;

import dev.fairlead.benchmarks.GpuBench;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how busy a ladder keeps cards, on doubles of them. */
@Command(
    name = "gpu",
    description =
        "Make ladders on doubles of NVIDIA's cards, which take a set time for each "
            + "picture and keep books: how close to the least time cards of speeds 1:1:2:4 "
            + "come, whether each always has a picture to work on, and how many cards this "
            + "machine's processor can feed. Needs gcc, and no card.",
    mixinStandardHelpOptions = true)
final class BenchGpuCommand extends BenchRun {
  @Option(
      names = "--cards",
      paramLabel = "N",
      defaultValue = "4",
      description = "Cards of unlike speeds (default: ${DEFAULT-VALUE}).")
  private int cards;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long the clip is, a multiple of 2 (default: ${DEFAULT-VALUE}).")
  private int seconds;

  BenchGpuCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    GpuBench.Figures figures =
        GpuBench.run(ThisProgram.command(), cards, rounds, seconds, progress);
    return new Answer(json(figures), table(figures));
  }

  private static String json(GpuBench.Figures f) {
    return String.format(
        Locale.ROOT,
        "{\"cards\":%d,\"makespanOverBound\":%.3f,\"cardReadyShare\":%.3f,\"contextsOpened\":%d,"
            + "\"sessionsPeak\":%d,\"sessionsLimit\":%d,\"cardsFed\":%d,"
            + "\"fedPicturesPerSecond\":%.1f,\"fed\":[%s],\"processors\":%d,\"load\":%.2f,"
            + "\"rounds\":%d}",
        f.cards(),
        f.makespanOverBound(),
        f.cardReadyShare(),
        f.contextsOpened(),
        f.sessionsPeak(),
        f.sessionsLimit(),
        f.cardsFed(),
        f.fedPicturesPerSecond(),
        f.fed().stream()
            .map(each ->
                String.format(
                    Locale.ROOT,
                    "{\"cards\":%d,\"readyShare\":%.3f,\"picturesPerSecond\":%.1f}",
                    each.cards(),
                    each.readyShare(),
                    each.picturesPerSecond()))
            .collect(Collectors.joining(",")),
        f.processors(),
        f.load(),
        f.rounds());
  }

  private static String table(GpuBench.Figures f) {
    Table fed = new Table(">>>", "EQUAL CARDS", "READY", "PICTURES/S");
    f.fed()
        .forEach(each ->
            fed.row(
                String.valueOf(each.cards()),
                String.format(Locale.ROOT, "%.3f", each.readyShare()),
                String.format(Locale.ROOT, "%.0f", each.picturesPerSecond())));
    return String.format(
        Locale.ROOT,
        """
        Doubles of %d cards, medians of %d rounds, %d processors, load %.1f at the start
          makespan  %.3f times the bound
          ready     %.3f of the time, on the card with the least
          contexts  %d in a process
          sessions  %d at most, %d allowed

        %s
        The processor feeds %d such cards.\
        """,
        f.cards(),
        f.rounds(),
        f.processors(),
        f.load(),
        f.makespanOverBound(),
        f.cardReadyShare(),
        f.contextsOpened(),
        f.sessionsPeak(),
        f.sessionsLimit(),
        fed,
        f.cardsFed());
  }
}
