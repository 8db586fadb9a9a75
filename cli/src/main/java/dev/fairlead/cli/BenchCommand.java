package dev.fairlead.cli;

import picocli.CommandLine.Command;

/** Measures Fairlead on this machine, each part against an opponent in the same run. */
@Command(
    name = "bench",
    description = "Measure Fairlead on this machine, against an opponent in the same run.",
    mixinStandardHelpOptions = true,
    subcommands = {
      BenchDispatchCommand.class,
      BenchLadderCommand.class,
      BenchJobsCommand.class,
      BenchFairnessCommand.class,
      BenchServiceCommand.class,
      BenchRecoveryCommand.class,
      BenchStartCommand.class,
      BenchGridCommand.class,
      BenchComputeCommand.class,
      BenchGpuCommand.class,
      BenchSimulateCommand.class
    })
final class BenchCommand {
  BenchCommand() {}
}
