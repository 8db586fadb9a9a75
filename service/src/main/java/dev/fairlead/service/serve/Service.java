package dev.fairlead.service.serve;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.service.access.Access;
import dev.fairlead.service.access.AuditLog;
import dev.fairlead.service.access.SessionRoutes;
import dev.fairlead.service.access.Sessions;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.device.DeviceRoutes;
import dev.fairlead.service.device.Lanes;
import dev.fairlead.service.events.EventRoutes;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.HttpServer;
import dev.fairlead.service.http.OpenApi;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Routes;
import dev.fairlead.service.index.Index;
import dev.fairlead.service.index.JobTable;
import dev.fairlead.service.job.EndedJobs;
import dev.fairlead.service.job.InputRoutes;
import dev.fairlead.service.job.Intake;
import dev.fairlead.service.job.JobRoutes;
import dev.fairlead.service.job.Jobs;
import dev.fairlead.service.job.ProbeRoutes;
import dev.fairlead.service.job.Retention;
import dev.fairlead.service.job.Roots;
import dev.fairlead.service.job.SubmissionKeys;
import dev.fairlead.service.job.UsageRoutes;
import dev.fairlead.service.metrics.MetricRoutes;
import dev.fairlead.service.page.PageRoutes;
import dev.fairlead.service.tenant.Admission;
import dev.fairlead.service.tenant.TenantRoutes;
import dev.fairlead.service.tenant.Tenants;
import dev.fairlead.service.trace.JobTraces;
import dev.fairlead.service.trace.TraceRoutes;
import dev.fairlead.service.upload.UploadRoutes;
import dev.fairlead.service.upload.Uploads;
import dev.fairlead.service.webhook.Webhooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Transcodes over HTTP: a host of jobs, and a server in front of it. Closing it parks all jobs; the
 * next service on the same data goes on with them.
 */
public final class Service implements AutoCloseable {
  private final Opened opened;
  private final HttpServer server;
  private volatile boolean draining;

  private Service(ServiceOptions options, JobOptions job, Program program, Opened opened)
      throws IOException {
    DevicePool pool = job.pool();
    this.opened = opened;
    DataDirectory data = DataDirectory.open(options.storage().data());
    opened.add(data::close);
    ServiceOptions.Storage storage = options.storage();
    Roots roots = new Roots(storage.roots());
    ServiceOptions.Address address = options.address();
    Access access =
        new Access(Tokens.below(storage.data()), new Sessions(System::nanoTime), address.names());
    this.server =
        HttpServer.open(
            address.listen(),
            address.certificate(),
            StartingRoutes.all(),
            access,
            program.mishaps());
    opened.add(server::close);
    Uploads uploads = new Uploads(data.uploads(), storage.minFreeBytes());
    Index index = Index.open(storage.data());
    opened.add(index::close);
    Webhooks webhooks =
        new Webhooks(index, options.webhooks(), InstantSource.system(), program.mishaps());
    opened.add(webhooks::close);
    EndedJobs ended = new EndedJobs(index, webhooks, program.mishaps());
    TranscodeHost host =
        TranscodeHost.open(
            job,
            HostLimits.usual(pool)
                .withMinFreeBytes(storage.minFreeBytes())
                .withRecords(data.records()),
            ended::add);
    JobTraces traces = JobTraces.open(host, data.traces(), program.version(), program.mishaps());
    opened.add(() -> {
      host.close();
      traces.close(); // what ends meanwhile has a trace
    });
    ended.align(host);
    Jobs jobs = new Jobs(host, ended, data.packages(), roots, traces::forget);
    Retention retention = new Retention(jobs, uploads, storage.keep(), InstantSource.system());
    String boot = UUID.randomUUID().toString().substring(0, 8);
    JobTable over = new JobTable(index);
    EventRoutes events = new EventRoutes(host, over, boot);
    List<Route> all = new ArrayList<>();
    BooleanSupplier shortOfDisk = () -> !data.hasRoom(storage.minFreeBytes());
    all.addAll(new StatusRoutes(pool, () -> draining, shortOfDisk).all());
    List<Lanes> lanes = new ArrayList<>(List.of(Lanes.of(pool)));
    program.additions().forEach(addition -> lanes.addAll(addition.lanes()));
    all.addAll(new DeviceRoutes(lanes).all());
    all.addAll(new UploadRoutes(uploads).all());
    DirectoryRecords records = DirectoryRecords.open(data.records());
    Tenants tenants = new Tenants(records, host::weigh);
    Intake intake = new Intake(roots, uploads, data.packages(), job, tenants, webhooks);
    Admission admission = new Admission(tenants, host::jobs, shortOfDisk);
    SubmissionKeys keys = new SubmissionKeys(records, InstantSource.system());
    all.addAll(new JobRoutes(jobs, intake, admission, keys).all());
    all.addAll(new TenantRoutes(tenants, host::jobs, jobs::deviceSeconds).all());
    all.addAll(new UsageRoutes(index).all());
    all.addAll(new InputRoutes(roots).all());
    all.addAll(new ProbeRoutes(roots).all());
    all.addAll(events.all());
    all.addAll(new TraceRoutes(traces).all());
    MetricRoutes metrics = new MetricRoutes(host, over);
    opened.add(metrics::close);
    all.addAll(metrics.all());
    program.additions().forEach(addition -> all.addAll(addition.routes()));
    all.addAll(new SessionRoutes(access, address.isSecure()).all());
    all.addAll(PageRoutes.all());
    all.add(description(all, program.version()));
    AuditLog audit =
        AuditLog.below(storage.data(), failure -> program.mishaps().accept("audit.log", failure));
    server.serve(new Routes(audit.around(all)));
    opened.add(server::close); // before what it asks; a second time does nothing
    opened.add(events::close);
    retention.start(program.mishaps());
    opened.add(retention::close);
  }

  /** The description of all routes, itself included. */
  private static Route description(List<Route> all, String version) {
    Route blank =
        Route.get(
            "/v1/openapi.json",
            Role.ANYONE,
            "This description",
            JsonNode.class,
            _ -> Answer.none());
    List<Route> with = new ArrayList<>(all);
    with.add(blank);
    ObjectNode document = OpenApi.of(new Routes(with), version);
    return Route.get(
        blank.path(),
        blank.role(),
        blank.text().summary(),
        blank.out(),
        _ -> Answer.json(document));
  }

  /**
   * Starts a service; the pool stays the caller's.
   *
   * @throws IllegalStateException if the data directory is in use, or cannot be used
   * @throws UncheckedIOException if nothing can listen at the address, or a root is not there
   */
  public static Service open(ServiceOptions options, JobOptions job, Program program) {
    Opened opened = new Opened();
    boolean whole = false;
    try {
      Service service = new Service(options, job, program, opened);
      whole = true;
      return service;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      if (!whole) {
        opened.close();
      }
    }
  }

  /** Where it listens. */
  public URI uri() {
    return server.uri();
  }

  /** Parks all jobs, and waits until nothing of them is left in this process. */
  @Override
  public void close() {
    draining = true;
    opened.close();
  }
}
