package dev.postcommit.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code docs/tracing.md} shows, done. */
class TracingPageIT {
  private static final Path PAGE = Path.of("..", "docs", "tracing.md");
  private static final Path SOURCE =
      Path.of("src", "test", "java", "dev", "postcommit", "opentelemetry", "TracingPageIT.java");
  private static final Pattern SNIPPET =
      Pattern.compile("<!-- snippet: (\\w+) -->\\n```java\\n(.*?)```", Pattern.DOTALL);

  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final List<String> reserved = new CopyOnWriteArrayList<>();

  @Test
  @DisplayName("R51: the page's code makes one trace of writing, sending and handling an event")
  void theCodeOfThePageMakesOneTrace() throws SQLException {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    try (PostgresDatabase database = PostgresServer.shared().createDatabase();
        OpenTelemetrySdk openTelemetry = telemetry(exporter)) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, Layout.nativeTable());
      write(dataSource, openTelemetry);
      relay(dataSource, openTelemetry);
      consume(openTelemetry);

      openTelemetry.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
      List<SpanData> spans = exporter.getFinishedSpanItems();
      assertThat(spans)
          .extracting(SpanData::getName)
          .containsExactly("send order.placed", "process order.placed");
      assertThat(spans.get(1).getParentSpanContext().getSpanId())
          .isEqualTo(spans.get(0).getSpanId());
      assertThat(reserved).containsExactly("order-42");
    }
  }

  private static OpenTelemetrySdk telemetry(SpanExporter exporter) {
    OpenTelemetrySdk openTelemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    return openTelemetry;
  }

  @SuppressWarnings("try") // a scope is closed and otherwise not used
  private void write(DataSource dataSource, OpenTelemetry openTelemetry) throws SQLException {
    Layout layout = Layout.nativeTable();
    Outbox outbox = TracingOutbox.of(Outbox.builder(layout).build(), layout, openTelemetry);

    Baggage baggage = Baggage.current().toBuilder().put("correlationId", "order-42").build();
    try (Scope scope = baggage.makeCurrent()) {
      placeOrder(dataSource, outbox);
    }
  }

  private static void placeOrder(DataSource dataSource, Outbox outbox) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      outbox.enqueue(tx, Event.builder("order.placed").aggregate("order", "42").json("{}").build());
      tx.commit();
    }
  }

  private void relay(DataSource dataSource, OpenTelemetry openTelemetry) {
    Publisher publisher = Publisher.callback(Duration.ofSeconds(1), sent::add);
    Relay relay =
        Relay.builder(dataSource, publisher)
            .listener(RelayTracing.of(openTelemetry, "kafka"))
            .build();
    try (relay) {
      relay.start();
      await().atMost(Duration.ofSeconds(20)).until(() -> !sent.isEmpty());
    }
  }

  private void consume(OpenTelemetry openTelemetry) {
    EventConsumer inventory =
        EventConsumer.builder("inventory-service")
            .inbox(Inbox.none())
            .on("order.placed", String.class, event -> reserve(event.correlationId()))
            .listener(ConsumerTracing.of(openTelemetry, "kafka"))
            .build();
    Message message = sent.get(0);
    inventory.handle(
        new ReceivedMessage(message.topic(), message.key(), message.headers(), message.body()));
  }

  private void reserve(String correlationId) {
    reserved.add(correlationId);
  }

  @Test
  void theCodeOnThePageIsTheCodeThatIsTested() throws Exception {
    String tested = stripped(Files.readString(SOURCE));
    Matcher snippet = SNIPPET.matcher(Files.readString(PAGE));
    int snippets = 0;
    while (snippet.find()) {
      snippets++;
      assertThat(tested).as("snippet %s", snippet.group(1)).contains(stripped(snippet.group(2)));
    }
    assertThat(snippets).isEqualTo(5);
  }

  private static String stripped(String code) {
    return code.replaceAll("\\s+", "");
  }
}
