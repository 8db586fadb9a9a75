package dev.fairlead.cli;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.profile.ProfileFile;
import dev.fairlead.doctor.run.Checkup;
import dev.fairlead.doctor.run.Doctor;
import dev.fairlead.doctor.run.Options;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.supervise.Codecs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Proves what the devices of this machine can do, and says what to do about what they cannot. */
@Command(
    name = "doctor",
    description =
        "Prove what this machine's devices can do, say what to do about what does not work, and keep"
            + " what was proven for later runs.",
    footer = {"", "Exit codes: 0 all is well, 1 there is something to do, 2 usage."},
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
  private static final List<String> WARNING =
      List.of(
          "fairlead: --thorough also does what others on this machine may notice: kernels that go",
          "  astray or never end, encoders until one is refused, processes killed in mid-encode, and",
          "  ladders of two minutes on each card and on all. It takes long, some minutes a card.");

  @Spec private CommandSpec spec;

  @Option(
      names = "--thorough",
      description =
          "Also what others may notice: wild and endless kernels, encoders until one is refused, kills"
              + " in mid-encode, ladders of two minutes. Cards that others use are left out.")
  private boolean thorough;

  @Option(
      names = "--even-if-busy",
      description = "With --thorough: do that also on cards that other processes use.")
  private boolean evenIfBusy;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description =
          "Where what was proven is kept, or none (default: a file for this machine, which transcode"
              + " and devices read).")
  private @Nullable String profile;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write all of it into a file to attach to an issue, without names and directories of yours.")
  private @Nullable Path report;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  DoctorCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (thorough) {
      WARNING.forEach(err::println);
      if (!evenIfBusy) {
        err.println("  Cards that others use are left out of that.");
      }
      err.flush();
    }
    Optional<ProfileFile> file = ProvenDevices.file(profile);
    Profile before =
        file.map(known -> known.read(trouble -> err.println("fairlead: " + trouble)))
            .orElse(Profile.NONE);
    DoctorDisplay display = new DoctorDisplay(json ? Optional.empty() : Optional.of(out), err);
    Checkup checkup = new Doctor(new Options(thorough, evenIfBusy), display).run(before);
    display.close();
    file.ifPresent(known -> known.write(checkup.profile()));
    if (json) {
      out.println(JsonEvents.JSON.writeValueAsString(tree(checkup)));
    } else {
      out.print(DoctorText.summary(checkup));
      file.ifPresent(known -> out.println("The profile is in " + known.path()));
    }
    out.flush();
    if (report != null) {
      write(report, display.text() + DoctorText.summary(checkup));
    }
    return checkup.isWell() ? 0 : 1;
  }

  private static void write(Path file, String text) {
    try {
      String about =
          "%s%nJava %s, %s %s, FFmpeg %s%n"
              .formatted(
                  String.join("\n", new Version().getVersion()),
                  System.getProperty("java.version"),
                  System.getProperty("os.name"),
                  System.getProperty("os.version"),
                  Codecs.usual().version());
      Files.writeString(file, Scrubbing.here().of(about + text));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Map<String, Object> tree(Checkup checkup) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("checks", checkup.findings().stream().map(DoctorCommand::tree).toList());
    tree.put("profile", ProfileFile.tree(checkup.profile()));
    return tree;
  }

  private static Map<String, Object> tree(Finding finding) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", finding.id());
    tree.put("device", finding.device());
    tree.put("result", finding.result().toString());
    tree.put("detail", finding.detail());
    tree.put("remedy", finding.remedy());
    return tree;
  }
}
