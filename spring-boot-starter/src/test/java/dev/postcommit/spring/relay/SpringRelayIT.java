package dev.postcommit.spring.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
import dev.postcommit.spring.Contexts;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** The relay as part of an application. */
class SpringRelayIT extends RelayFixture {
  /** With a poll interval that nobody would wait for. */
  @Test
  void aCommitWakesTheRelay() {
    application()
        .withPropertyValues("postcommit.poll-interval=10m", "postcommit.lease=1h")
        .run(
            context -> {
              awaitHealth(context, Status.UP);
              place(context, 1);
              awaitSent(1);
              assertThat(sent.get(0).key()).isEqualTo("1");
            });
  }

  @Test
  void aProjectAndAnEmulatorAreAllThatPubSubNeeds() {
    try (PubSubServer server = PubSubServer.startHere()) {
      server.createTopic("order.placed");
      server.createSubscription("stock", "order.placed");
      Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
          .withPropertyValues(
              "spring.cloud.gcp.project-id=" + server.project(),
              "spring.cloud.gcp.pubsub.emulator-host=" + server.emulatorHost())
          .run(
              context -> {
                place(context, 2);
                assertThat(PubSubReader.read(server, "stock", 1))
                    .extracting(Message::key)
                    .containsExactly("2");
              });
    }
  }

  @Test
  void theApplicationsOwnBeansAreUsed() {
    List<String> heard = new CopyOnWriteArrayList<>();
    application()
        .withBean(
            Envelope.class,
            () ->
                (event, topic) ->
                    new Message(topic, event.key(), Map.of("own", "yes"), event.payload()))
        .withBean(Router.class, () -> Router.fixed("all"))
        .withBean(
            EventCheck.class,
            () ->
                event ->
                    "4".equals(event.key())
                        ? Optional.of("no order has the number 4")
                        : Optional.empty())
        .withBean(RetryPolicy.class, () -> RetryPolicy.DEFAULT.withMaxAttempts(3))
        .withBean(
            RelayListener.class,
            () ->
                new RelayListener() {
                  @Override
                  public void dead(StoredEvent event, String reason) {
                    heard.add(reason);
                  }
                })
        .run(
            context -> {
              place(context, 3);
              place(context, 4);
              awaitSent(1);
              await().atMost(Duration.ofSeconds(20)).until(() -> heard.size() == 1);
              assertThat(sent.get(0).topic()).isEqualTo("all");
              assertThat(sent.get(0).headers()).containsExactly(Map.entry("own", "yes"));
              assertThat(heard.get(0)).contains("no order has the number 4");
              assertThat(
                      context
                          .getBean(RelayAutoConfiguration.RelayLayout.class)
                          .layout()
                          .retryPolicy()
                          .maxAttempts())
                  .isEqualTo(3);
            });
  }

  @Test
  void healthSaysWhatTheRelayWaitsFor() {
    application()
        .run(
            context -> {
              awaitHealth(context, Status.UP);
              assertThat(health(context).getDetails())
                  .containsEntry("relay", "running")
                  .containsEntry("database", "ok")
                  .containsEntry("broker", "ok");

              problem = "no leader";
              answer = new Delivery.Unavailable("no leader", null);
              place(context, 5);
              awaitHealth(context, Status.DOWN);
              assertThat(health(context).getDetails())
                  .containsEntry("relay", "broker-unavailable")
                  .containsEntry("broker", "no leader");

              problem = null;
              answer = Delivery.DELIVERED;
              awaitHealth(context, Status.UP);
              awaitSent(1);
            });
  }

  @Test
  void figuresOfRelayAndTableAreInTheRegistry() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    application()
        .withBean(MeterRegistry.class, () -> registry)
        .run(
            context -> {
              place(context, 6);
              awaitSent(1);
              await().atMost(Duration.ofSeconds(20)).until(() -> deliveries(registry) == 1);
              await()
                  .atMost(Duration.ofSeconds(20))
                  .until(() -> registry.get("outbox.pending.count").gauge().value() >= 0);
            });
    assertThat(registry.find("outbox.pending.count").gauge()).isNull();
  }

  private static long deliveries(MeterRegistry registry) {
    return registry.find("outbox.process.latency").timers().stream().mapToLong(Timer::count).sum();
  }

  @Test
  @SuppressWarnings("try") // a scope is closed and otherwise not used
  void theTraceOfTheWriterGoesWithTheEvent() {
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    application()
        .withBean(OpenTelemetry.class, () -> telemetry)
        .run(
            context -> {
              Span span = telemetry.getTracer("test").spanBuilder("place").startSpan();
              try (Scope scope = span.makeCurrent()) {
                place(context, 7);
              }
              awaitSent(1);
              assertThat(sent.get(0).headers().get("traceparent"))
                  .contains(span.getSpanContext().getTraceId())
                  .doesNotContain(span.getSpanContext().getSpanId());
            });
  }
}
