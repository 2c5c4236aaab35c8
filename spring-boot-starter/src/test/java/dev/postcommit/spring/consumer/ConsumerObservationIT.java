package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.micrometer.ConsumerMetrics;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaServer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;

/** What an application shows of its consumer. */
class ConsumerObservationIT extends ConsumerFixture {

  /** Accepts every order but those of 13. */
  static class Handler {
    @EventHandler("order.placed")
    void on(String order, EventContext event) {
      if ("13".equals(event.key())) {
        throw new PermanentFailureException("unlucky");
      }
    }
  }

  private static Health health(ApplicationContext context) {
    return context.getBean("postcommitConsumerHealthIndicator", HealthIndicator.class).health();
  }

  private static void awaitHealth(ApplicationContext context, Status status) {
    awaitUntil(() -> health(context).getStatus().equals(status));
  }

  @Test
  void healthNoticesThatTheBrokerDoesNotAnswer() {
    try (KafkaServer own = KafkaServer.start()) {
      own.createTopic(topic, 1);
      application()
          .withBean(Handler.class)
          .withPropertyValues(
              "spring.kafka.bootstrap-servers=" + own.bootstrapServers(),
              "postcommit.relay.enabled=false")
          .run(
              context -> {
                awaitHealth(context, Status.UP);
                awaitUntil(() -> health(context).getDetails().containsKey("lag"));
                assertThat(health(context).getDetails())
                    .containsEntry("consumer", "running")
                    .containsEntry("broker", "ok")
                    .containsEntry("inbox", "ok")
                    .containsEntry("pending", 0)
                    .containsEntry("lag", 0L);

                own.freeze();
                awaitHealth(context, Status.DOWN);
                assertThat(health(context).getDetails().get("broker"))
                    .asString()
                    .contains("no answer from Kafka for 15 s");

                own.thaw();
                awaitHealth(context, Status.UP);
              });
    }
  }

  @Test
  void healthNoticesThatTheInboxCannotBeUsed() {
    application()
        .withBean(Handler.class)
        .run(
            context -> {
              awaitHealth(context, Status.UP);
              observer.execute("ALTER TABLE processed_events RENAME TO elsewhere");
              send("order.placed", 1, "{}");
              awaitHealth(context, Status.DOWN);
              observer.execute("ALTER TABLE elsewhere RENAME TO processed_events");
              awaitHealth(context, Status.UP);
              awaitUntil(() -> marks() == 1);
            });
  }

  @Test
  void eventsAreCounted() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    application()
        .withBean(Handler.class)
        .withBean(MeterRegistry.class, () -> registry)
        // Of a consumer that is a bean, and not of this one.
        .withBean("others", ConsumerMetrics.class, () -> ConsumerMetrics.of(registry, "others"))
        .run(
            context -> {
              Message first = send("order.placed", 1, "{}");
              send(first);
              awaitUntil(() -> events(registry, "order.placed", "duplicate") == 1);
              awaitUntil(() -> events(registry, "order.placed", "processed") == 1);
              assertThat(registry.get("inbox.handler").tag("type", "order.placed").timer().count())
                  .isEqualTo(1);
              send("order.placed", 13, "{}");
              awaitUntil(() -> events(registry, "order.placed", "dead") == 1);
              send("order.shipped", 1, "{}");
              awaitUntil(() -> events(registry, "other", "ignored") == 1);
              assertThat(registry.get("inbox.problem").gauge().value()).isZero();
              awaitUntil(() -> registry.get("inbox.lag").gauge().value() == 0);
            });
    assertThat(registry.find("inbox.lag").gauge()).isNull();
  }

  private static double events(MeterRegistry registry, String type, String outcome) {
    return registry
        .find("inbox.events")
        .tag("type", type)
        .tag("outcome", outcome)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  @Test
  void theLatencyIsThatFromTheEventToItsEffect() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    application()
        .withBean(Handler.class)
        .withBean(MeterRegistry.class, () -> registry)
        .run(
            context -> {
              send(
                  new Message(
                      topic,
                      "1",
                      Map.of(
                          "event_id", UUID.randomUUID().toString(),
                          "event_type", "order.placed",
                          "created_at", Instant.now().minusSeconds(60).toString()),
                      "{}".getBytes(StandardCharsets.UTF_8)));
              awaitUntil(() -> events(registry, "order.placed", "processed") == 1);
              assertThat(
                      registry
                          .get("inbox.latency")
                          .tag("type", "order.placed")
                          .timer()
                          .max(TimeUnit.SECONDS))
                  .isBetween(60.0, 120.0);
            });
  }

  @Test
  void aHandlerIsPartOfATrace() {
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    application()
        .withBean(Handler.class)
        .withBean(OpenTelemetry.class, () -> telemetry)
        .run(
            context -> {
              send("order.placed", 1, "{}");
              awaitUntil(() -> !spans.getFinishedSpanItems().isEmpty());
              assertThat(spans.getFinishedSpanItems().get(0).getName())
                  .isEqualTo("process " + topic);
            });
  }
}
