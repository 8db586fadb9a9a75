package dev.fairlead.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spans as the SDK of OpenTelemetry exports them. */
class PoolSpansTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");
  private static final Device DEVICE = Device.of(DeviceKind.SIMULATED, 3);

  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final OpenTelemetry telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exported))
                  .build())
          .build();
  private final PoolSpans spans = new PoolSpans(telemetry, Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void aLeaseIsASpanThatIsAsLongAsItWasHeld() {
    spans.on(
        new Event.Ended(1, DEVICE, Demand.of("encode", 8), Duration.ofSeconds(3), null, false));

    SpanData span = exported.getFinishedSpanItems().getFirst();
    assertThat(span.getName()).isEqualTo("encode");
    assertThat(span.getEndEpochNanos() - span.getStartEpochNanos())
        .isEqualTo(Duration.ofSeconds(3).toNanos());
    assertThat(span.getEndEpochNanos()).isEqualTo(NOW.getEpochSecond() * 1_000_000_000L);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(PoolSpans.DEVICE)).isEqualTo("simulated:3");
    assertThat(span.getAttributes().get(PoolSpans.DEVICE_ID)).isEqualTo("simulated:3");
    assertThat(span.getAttributes().get(PoolSpans.WORK_KIND)).isEqualTo("encode");
    assertThat(span.getAttributes().get(PoolSpans.WORK_SIZE)).isEqualTo(8.0);
  }

  @Test
  void aFailureIsAnErrorAndALeaseThatWasNotUsedIsNoSpan() {
    spans.on(new Event.Ended(1, DEVICE, Demand.any(), Duration.ofSeconds(1), null, true));
    spans.on(new Event.Ended(2, DEVICE, Demand.any(), Duration.ofSeconds(1), Fault.LOST, false));

    assertThat(exported.getFinishedSpanItems())
        .singleElement()
        .satisfies(span -> {
          assertThat(span.getName()).isEqualTo("lease");
          assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
          assertThat(span.getStatus().getDescription()).isEqualTo("lost");
        });
  }

  @Test
  void everyLeaseOfAPoolThatWasUsedIsASpan() throws InterruptedException {
    PoolOptions options = PoolOptions.usual().withListener(new PoolSpans(telemetry));
    try (DevicePool pool = DevicePool.of(List.of(DEVICE), options)) {
      for (int i = 0; i < 5; i++) {
        pool.run(Demand.of("encode", 1), slot -> slot.device());
      }
      pool.lease(Demand.any(), Duration.ZERO).giveBack();
      try (Lease failed = pool.lease(Demand.any(), Duration.ZERO)) {
        failed.fail(new IllegalStateException("wrong work"));
      }
    }
    // A pool that is closed has told its listeners all.
    assertThat(exported.getFinishedSpanItems().stream().map(SpanData::getName))
        .containsExactly("encode", "encode", "encode", "encode", "encode", "lease");
  }
}
