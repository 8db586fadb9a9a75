package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.WrittenAmount;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.http.Certificate;
import dev.fairlead.service.serve.Program;
import dev.fairlead.service.serve.Service;
import dev.fairlead.service.serve.ServiceOptions;
import dev.fairlead.service.webhook.WebhookHosts;
import dev.fairlead.service.webhook.WebhookOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Takes jobs over HTTP until it is ended. */
@Command(
    name = "serve",
    description = {
      "Take jobs over HTTP, many at a time, on all devices.",
      "Ended (Ctrl-C, SIGTERM) or killed, the same command goes on with all jobs."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8080",
      description =
          "Where to listen; port 0 takes a free one (default: ${DEFAULT-VALUE}). Beyond this"
              + " machine it takes a token, and --tls or --plain.")
  private String listen;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where jobs, uploads and packages are kept (default: a directory of yours).")
  private @Nullable Path data;

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "Clients may name files below this directory; may be given several times.")
  private List<Path> roots = List.of();

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "A name by which clients may call this server; may be given several times.")
  private List<String> hosts = List.of();

  @Option(
      names = "--tls",
      paramLabel = "FILE.p12",
      description =
          "Listen with TLS: the certificate and its key, read again when the file changes. Its"
              + " password is in FAIRLEAD_TLS_PASSWORD or in the file of --tls-password.")
  private @Nullable Path tls;

  @Option(
      names = "--tls-password",
      paramLabel = "FILE",
      description = "A file whose first line is the password of --tls.")
  private @Nullable Path tlsPassword;

  @Option(
      names = "--plain",
      description = "Listen beyond this machine without TLS: a proxy in front of it has that.")
  private boolean plain;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description = "How much memory all jobs may use: 512m, 2g (default: half of what there is).")
  private @Nullable String memory;

  @Option(
      names = "--min-free",
      paramLabel = "BYTES",
      description = "What is to be left free on disks; jobs wait if less is (default: 1g).")
  private @Nullable String minFree;

  @Option(
      names = "--keep",
      paramLabel = "TIME",
      description =
          "For how long jobs that are over are kept, with packages under --data, and uploads that"
              + " no job uses: 30d, 12h (default: 30d).")
  private @Nullable String keep;

  @Option(
      names = "--webhook-host",
      paramLabel = "HOST[:PORT]",
      description =
          "Jobs may have this host told when they end, signed with FAIRLEAD_WEBHOOK_SECRET; may be"
              + " given several times.")
  private List<String> webhookHosts = List.of();

  @Option(
      names = "--webhook-private",
      description = "Names of --webhook-host may lead into private networks.")
  private boolean webhookPrivate;

  @Option(names = "--json", description = "Print one JSON object when it listens.")
  private boolean json;

  @Mixin private FleetOptions fleet;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  ServeCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    ServiceOptions options;
    Discovery devices;
    long bytes;
    try {
      fleet.check();
      options = options();
      bytes = memory == null ? HostMemory.here().half() : WrittenAmount.bytes(memory);
      devices = fleet.discover();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    PrintWriter err = spec.commandLine().getErr();
    try (DevicePool pool = fleet.open(devices, err)) {
      JobOptions job = fleet.job(pool).withMemoryBytes(bytes);
      Service service =
          Service.open(
              options,
              job,
              new Program(
                  Version.number(),
                  (asked, mistake) -> {
                    err.println("fairlead: %s: %s".formatted(asked, mistake));
                    mistake.printStackTrace(err);
                    err.flush();
                  },
                  List.of()));
      CountDownLatch ended = new CountDownLatch(1);
      Runtime.getRuntime().addShutdownHook(ServeEnd.hook(service, ended::countDown));
      listening(service, pool.devices());
      ended.await();
      fleet.remember(pool, devices.devices(), err);
    }
    return 0;
  }

  private ServiceOptions options() {
    InetSocketAddress address = ListenAddress.parse(listen);
    Path directory = data == null ? StateDirectory.file("service", "") : data;
    if (!address.getAddress().isLoopbackAddress()) {
      if (Tokens.below(directory).all().isEmpty()) {
        throw new IllegalArgumentException(
            "--listen %s can be reached from other machines, and there is no token; make one first: fairlead token add NAME --role admin --data %s"
                .formatted(listen, directory));
      }
      if (!plain && tls == null) {
        throw new IllegalArgumentException(
            "--listen %s can be reached from other machines without TLS; give a certificate by --tls, or put a proxy that has it in front and say so by --plain"
                .formatted(listen));
      }
    }
    Set<String> names = new HashSet<>(hosts);
    names.add(address.getHostString());
    long free = minFree == null ? HostLimits.USUAL_MIN_FREE_BYTES : WrittenAmount.bytes(minFree);
    return new ServiceOptions(
        new ServiceOptions.Address(address, names, certificate()),
        new ServiceOptions.Storage(
            directory,
            roots,
            free,
            keep == null ? ServiceOptions.Storage.USUAL_KEEP : WrittenAmount.span(keep)),
        webhooks());
  }

  private WebhookOptions webhooks() {
    String secret = System.getenv("FAIRLEAD_WEBHOOK_SECRET");
    return new WebhookOptions(
        WebhookHosts.parse(webhookHosts, webhookPrivate), secret == null ? "" : secret);
  }

  private Optional<Certificate> certificate() {
    if (tls == null) {
      return Optional.empty();
    }
    String password =
        tlsPassword == null ? System.getenv("FAIRLEAD_TLS_PASSWORD") : firstLine(tlsPassword);
    if (password == null) {
      throw new IllegalArgumentException(
          "--tls %s has no password; it is taken from FAIRLEAD_TLS_PASSWORD, or from the file of --tls-password"
              .formatted(tls));
    }
    return Optional.of(Certificate.open(tls, password.toCharArray()));
  }

  private static String firstLine(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "--tls-password %s cannot be read".formatted(file), unreadable);
    }
  }

  private void listening(Service service, List<Device> devices) {
    PrintWriter out = spec.commandLine().getOut();
    List<String> labels = devices.stream().map(Device::label).toList();
    if (json) {
      ObjectNode event =
          JsonEvents.JSON
              .createObjectNode()
              .put("event", "listening")
              .put("url", service.uri().toString());
      ArrayNode list = event.putArray("devices");
      labels.forEach(list::add);
      out.println(JsonEvents.JSON.writeValueAsString(event));
    } else {
      out.println(
          "Fairlead listens at %s, with %s. Ctrl-C ends it; jobs go on with the next start."
              .formatted(service.uri(), String.join(", ", labels)));
    }
    out.flush();
  }
}
