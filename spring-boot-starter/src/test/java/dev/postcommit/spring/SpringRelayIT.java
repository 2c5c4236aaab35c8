package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.RetryPolicy;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
import dev.postcommit.store.StoredEvent;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay as part of an application. */
class SpringRelayIT {
  private static Orders orders;

  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private volatile Delivery answer = Delivery.DELIVERED;
  private volatile String problem;

  /** Says of each message what the test wants. */
  private final class Broker implements Publisher {
    @Override
    public CompletionStage<Delivery> send(Message message) {
      if (answer == Delivery.DELIVERED) {
        sent.add(message);
      }
      return CompletableFuture.completedFuture(answer);
    }

    @Override
    public Optional<String> problem() {
      return Optional.ofNullable(problem);
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }
  }

  @BeforeAll
  static void start() {
    orders = new Orders();
  }

  @AfterAll
  static void stop() {
    orders.close();
  }

  private ApplicationContextRunner application() {
    return Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .withBean(Publisher.class, Broker::new);
  }

  private static void place(ApplicationContext context, int id) {
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> context.getBean(SpringOutbox.class).enqueue(Orders.placed(id)));
  }

  private void awaitSent(int count) {
    await().atMost(Duration.ofSeconds(20)).until(() -> sent.size() == count);
  }

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

  private static Health health(ApplicationContext context) {
    return context.getBean("postcommitHealthIndicator", HealthIndicator.class).health();
  }

  private static void awaitHealth(ApplicationContext context, Status status) {
    await().atMost(Duration.ofSeconds(20)).until(() -> health(context).getStatus().equals(status));
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

  /** As Spring does with the applications of tests, and others with snapshots of processes. */
  @Test
  void anApplicationCanBeStoppedAndStartedAgain() {
    application()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              place(context, 8);
              awaitSent(1);

              context.getSourceApplicationContext().stop();
              assertThat(context.getBean(RelayLifecycle.class).state())
                  .isEqualTo(Relay.State.STOPPED);
              assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
              place(context, 9);

              context.getSourceApplicationContext().start();
              awaitSent(2);
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            });
  }

  /** The data source is still there when the relay settles what is in flight. */
  @Test
  void whatIsInFlightWhenTheApplicationEndsIsSettled() {
    CompletableFuture<Delivery> inFlight = new CompletableFuture<>();
    List<Message> taken = new CopyOnWriteArrayList<>();
    Publisher slow =
        new Publisher() {
          @Override
          public CompletionStage<Delivery> send(Message message) {
            taken.add(message);
            return inFlight;
          }

          @Override
          public Optional<String> problem() {
            return Optional.empty();
          }

          @Override
          public Duration deliveryTimeout() {
            return Duration.ofSeconds(20);
          }
        };
    Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .withBean(Publisher.class, () -> slow)
        .run(
            context -> {
              place(context, 10);
              await().atMost(Duration.ofSeconds(20)).until(() -> !taken.isEmpty());
              RelayLifecycle relay = context.getBean(RelayLifecycle.class);
              CompletableFuture<Void> ended =
                  CompletableFuture.runAsync(context.getSourceApplicationContext()::close);
              await()
                  .atMost(Duration.ofSeconds(20))
                  .until(() -> relay.state() == Relay.State.STOPPED);
              assertThat(ended).isNotDone();
              inFlight.complete(Delivery.DELIVERED);
              ended.join();
            });

    DataSource dataSource = orders.database().dataSource();
    assertThat(
            new JdbcTemplate(dataSource)
                .queryForObject(
                    "SELECT status FROM postcommit_outbox WHERE aggregate_id = '10'", String.class))
        .isEqualTo("delivered");
  }

  @Test
  void eventsThatWereThereBeforeAreDelivered() {
    Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .run(
            context ->
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                        status ->
                            context
                                .getBean(SpringOutbox.class)
                                .enqueueAll(
                                    List.of(
                                        Event.builder("a").key("11").json("1").build(),
                                        Event.builder("b").key("11").json("2").build()))));
    application()
        .run(
            context -> {
              awaitSent(2);
              assertThat(sent).extracting(Message::topic).containsExactly("a", "b");
            });
  }
}
