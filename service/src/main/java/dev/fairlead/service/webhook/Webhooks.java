package dev.fairlead.service.webhook;

import dev.fairlead.service.index.DeliveryTable;
import dev.fairlead.service.index.Index;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tells others when jobs end, at least once: a delivery is in the index together with the job's
 * end, and is sent until its receiver has taken it, or for a day. Thread-safe.
 */
public final class Webhooks implements AutoCloseable {
  /** Under which a job's order notes where its end is told. */
  public static final String NOTE = "webhook";

  private final DeliveryTable table;
  private final WebhookOptions options;
  private final Map<String, HostDeliveries> hosts;

  /**
   * Sends what is due from now on.
   *
   * @param mishaps takes what goes wrong on this side
   */
  public Webhooks(
      Index index,
      WebhookOptions options,
      InstantSource clock,
      BiConsumer<String, Throwable> mishaps) {
    this.table = new DeliveryTable(index);
    this.options = options;
    this.hosts =
        options.hosts().places().stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    host -> new HostDeliveries(host, table, options, clock, mishaps)));
  }

  /**
   * Checks where a client wants to be told.
   *
   * @throws IllegalArgumentException if nobody may be told there
   */
  public String checked(String url) {
    return options.hosts().read(url).toString();
  }

  /** What is to be told of the end of a job; its id follows from the job and its end. */
  public static DeliveryTable.Row delivery(
      String job, String url, Instant ended, Function<String, String> body) {
    String id = "%s-%d".formatted(job, ended.toEpochMilli());
    return new DeliveryTable.Row(
        id,
        job,
        WebhookHosts.place(URI.create(url)),
        url,
        body.apply(id),
        DeliveryTable.State.PENDING,
        0,
        DeliveryTable.Answer.NONE,
        ended);
  }

  /** Something was taken down. */
  public void wake() {
    hosts.values().forEach(HostDeliveries::wake);
  }

  /** How far the last delivery of a job is. */
  public Optional<DeliveryTable.Row> latest(String job) {
    return table.latest(job);
  }

  /** Sends nothing any more; what is not delivered, the next service sends. */
  @Override
  public void close() {
    List.copyOf(hosts.values()).forEach(HostDeliveries::close);
  }
}
