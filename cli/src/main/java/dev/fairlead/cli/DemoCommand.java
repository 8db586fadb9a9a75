package dev.fairlead.cli;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows all of it in some seconds: makes a clip, and a ladder of it on the devices there are. */
@Command(
    name = "demo",
    description = {
      "Make a clip, turn it into a ladder of three rungs on all devices, show what each " + "did.",
      "Try --devices 'cpu:2,cpu:1*0.25' to see a slow device get its fair share, or "
          + "--chaos crash@1 to see a worker process die and nothing lost."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DemoCommand implements Callable<Integer> {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 540;
  private static final String LADDER = "960x540,640x360,320x180";

  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      defaultValue = "fairlead-demo",
      description = "Where to (default: ${DEFAULT-VALUE}).")
  private Path output;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "How long the clip is (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Mixin private FleetOptions fleet;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  DemoCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Discovery devices;
    try {
      fleet.check();
      devices = fleet.discover();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    if (seconds < 1 || seconds > 600) {
      throw new ParameterException(
          spec.commandLine(), "--seconds is %d; it can be 1 to 600".formatted(seconds));
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path clip = output.resolve("clip.mp4");
    err.printf("Making a clip of %d s, %dx%d%n", seconds, WIDTH, HEIGHT);
    err.flush();
    try {
      Files.createDirectories(output);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    SourceTools.makeClip(clip, seconds, WIDTH, HEIGHT);
    TranscodeRequest request =
        TranscodeRequest.of(clip, output.resolve("hls"))
            .withLadder(LadderSpec.parse(LADDER))
            .withRestart(true);
    Path report = output.resolve("report.html");
    int code;
    try (DevicePool pool = fleet.open(devices, err)) {
      code =
          new TranscodeRun(
                  JobOrder.of(request, fleet.job(pool)),
                  new RunFiles(null, report, GivenCommand.origin(spec)))
              .run(Displays.forPeople(out, err), err);
      fleet.remember(pool, devices.devices(), err);
    }
    if (code == 0) {
      out.println("What each device did when: " + report);
      out.flush();
    }
    return code;
  }
}
