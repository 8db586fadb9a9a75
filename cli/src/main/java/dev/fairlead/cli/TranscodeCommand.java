package dev.fairlead.cli;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.PlanException;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.service.client.ServiceClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Turns a video into a ladder of rungs, on all devices at once. */
@Command(
    name = "transcode",
    description = {
      "Turn a video into an AV1 ladder, every device encoding.",
      "Stopped or killed, the same command goes on where it was."
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 an error of Fairlead's own, 2 usage, 3 unreadable or unsupported"
          + " input, 4 no capable device, 5 gave up after retries, 6 I/O or no space; 130 cancelled"
          + " (Ctrl-C), 143 ended by SIGTERM, 129 by the end of its terminal."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class TranscodeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "INPUT", description = "The videos.")
  private List<Path> inputs;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Where to; with several inputs, a directory in it for each.")
  private Path output;

  @Mixin private LadderOptions ladder;

  @Mixin private FleetOptions fleet;

  @Mixin private JobsOptions jobs;

  @Option(names = "--json", description = "Print every event as a JSON object on one line.")
  private boolean json;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write what each device did when; opens in Perfetto.")
  private @Nullable Path trace;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a page with device lanes, chunks and throughput.")
  private @Nullable Path report;

  @Option(
      names = "--strict",
      description = "Fail, with exit code 3, if an input ends early or is damaged.")
  private boolean strict;

  @Option(
      names = "--at",
      paramLabel = "URL|HOST:PORT",
      description =
          "Have a service do it ('fairlead serve'): what it does not see is sent, and the package is"
              + " brought here. Ctrl-C pauses the job. A token is taken from FAIRLEAD_TOKEN.")
  private @Nullable String at;

  @Option(names = "--dry-run", description = "Print the plan and do nothing.")
  private boolean dryRun;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  TranscodeCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    return at == null ? here() : remote(at);
  }

  private int remote(String address) {
    List<RemoteOrder> orders;
    ServiceClient service;
    try {
      RemoteOptions.check(spec);
      jobs.check();
      requests();
      orders = RemoteOptions.orders(Outputs.of(inputs, output), ladder, jobs.priority());
      service = Services.open(address, Services.PATIENCE);
    } catch (IllegalArgumentException | PlanException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (service) {
      return new RemoteRun(
              service,
              orders,
              json
                  ? RemoteDisplay.json(out)
                  : Displays.ofService(out, spec.commandLine().getErr(), orders))
          .run();
    }
  }

  private int here() throws InterruptedException {
    List<TranscodeRequest> requests;
    Discovery devices;
    try {
      fleet.check();
      jobs.check();
      requests = requests();
      devices = fleet.discover();
    } catch (IllegalArgumentException | PlanException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    if (dryRun) {
      for (TranscodeRequest request : requests) {
        plan(request, devices);
      }
      return 0;
    }
    PrintWriter err = spec.commandLine().getErr();
    try (DevicePool pool = fleet.open(devices, err)) {
      try {
        return transcode(requests, pool);
      } finally {
        fleet.remember(pool, devices.devices(), err);
      }
    }
  }

  private List<TranscodeRequest> requests() {
    List<TranscodeRequest> requests = new ArrayList<>();
    for (Map.Entry<Path, Path> each : Outputs.of(inputs, output).entrySet()) {
      requests.add(ladder.request(each.getKey(), each.getValue()));
      files().check(each.getKey(), each.getValue());
    }
    return requests;
  }

  private RunFiles files() {
    return new RunFiles(trace, report, GivenCommand.origin(spec));
  }

  private void plan(TranscodeRequest request, Discovery devices) throws InterruptedException {
    TranscodePlan plan = SourceTools.plan(request, fleet.isConfined());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      long bound = HostMemory.here().bound(request);
      out.println(
          JsonEvents.JSON.writeValueAsString(JsonEvents.planned(plan, devices.devices(), bound)));
    } else {
      out.print(PlanText.of(plan, devices.devices()));
    }
    out.flush();
  }

  /** Several together; what one cannot be is no reason to leave out the others. */
  private int transcode(List<TranscodeRequest> requests, DevicePool pool)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    JobOptions options = fleet.job(pool).withStrict(strict);
    if (requests.size() == 1) {
      JobOrder order = JobOrder.of(requests.getFirst(), options);
      return new TranscodeRun(order, files())
          .run(json ? Display.json(out, order.id()) : Displays.forPeople(out, err), err);
    }
    long memory = HostMemory.here().bound(requests.getFirst());
    JobOptions together = options.withMemoryBytes(memory);
    List<JobOrder> orders =
        requests.stream()
            .map(request -> JobOrder.of(request, together).withPriority(jobs.priority()))
            .toList();
    return new JobsRun(orders, jobs.limits(pool), files())
        .run(json ? JobsDisplay.json(out) : Displays.ofJobs(out, err));
  }
}
