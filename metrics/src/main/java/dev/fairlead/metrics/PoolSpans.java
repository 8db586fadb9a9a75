package dev.fairlead.metrics;

import dev.fairlead.event.PoolListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;

/**
 * A span of OpenTelemetry for each lease that was used: {@code pool.subscribe(new
 * PoolSpans(telemetry))}.
 *
 * <p>A span is as long as the lease was held, and ends when the listener hears of the end, a moment
 * late. It has no parent, since the context of the caller is not known where leases are told of.
 * Nothing is kept between events: a lease that is told of at its end only has its span all the
 * same.
 */
public final class PoolSpans implements PoolListener {
  private static final String SCOPE = "dev.fairlead";

  /** The device's label, such as {@code cuda:0}. */
  public static final AttributeKey<String> DEVICE = AttributeKey.stringKey("fairlead.device");

  /** The device's id, which stays the same when the machine orders its devices differently. */
  public static final AttributeKey<String> DEVICE_ID = AttributeKey.stringKey("fairlead.device.id");

  /** The kind of the work. */
  public static final AttributeKey<String> WORK_KIND = AttributeKey.stringKey("fairlead.work.kind");

  /** The size of the work. */
  public static final AttributeKey<Double> WORK_SIZE = AttributeKey.doubleKey("fairlead.work.size");

  private final Tracer tracer;
  private final Clock clock;

  public PoolSpans(OpenTelemetry telemetry) {
    this(telemetry, Clock.systemUTC());
  }

  PoolSpans(OpenTelemetry telemetry, Clock clock) {
    this.tracer = telemetry.getTracer(SCOPE);
    this.clock = clock;
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Ended ended && !ended.unused()) {
      record(ended, clock.instant());
    }
  }

  private void record(Event.Ended ended, Instant end) {
    String kind = ended.demand().work().kind();
    Span span =
        tracer
            .spanBuilder(kind.isEmpty() ? "lease" : kind)
            .setNoParent()
            .setSpanKind(SpanKind.INTERNAL)
            .setStartTimestamp(end.minus(ended.held()))
            .setAttribute(DEVICE, ended.device().label())
            .setAttribute(DEVICE_ID, ended.device().id().toString())
            .setAttribute(WORK_KIND, kind)
            .setAttribute(WORK_SIZE, ended.demand().work().size())
            .startSpan();
    if (ended.fault() != null) {
      span.setStatus(StatusCode.ERROR, ended.fault().name().toLowerCase(Locale.ROOT));
    }
    span.end(end);
  }
}
