package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code on the page of metrics. */
class MetricsPageIT extends LayoutFixture {

  MetricsPageIT() {
    super(
        new LayoutSample(
            Layout.preset("logistik"),
            key -> Event.builder("order_created").aggregate("order", key),
            tenant -> Event.builder("order_created").tenant(tenant).json("1").build()));
  }

  @Test
  @DisplayName("R49, R54: the code on the page shows the four metrics of Logistik's table")
  void theCodeOnThePageWorks() {
    Layout layout = layout();
    DataSource dataSource = dataSource();
    Publisher publisher = new Answers(message -> Delivery.DELIVERED);
    enqueue(
        event("7d3f5a52-41a9-4d5c-9a6e-0d6a3f6f0c11").json("{}").build(),
        event("7d3f5a52-41a9-4d5c-9a6e-0d6a3f6f0c12").json("{}").build());

    PrometheusMeterRegistry registry = PrometheusScrape.newRegistry();
    OutboxAdmin admin = OutboxAdmin.of(dataSource, layout);
    try (RelayMetrics relayMetrics = RelayMetrics.of(registry, layout);
        TableMetrics tableMetrics = TableMetrics.of(registry, layout, admin);
        Relay relay =
            Relay.builder(dataSource, publisher).layout(layout).listener(relayMetrics).build()) {
      tableMetrics.start();
      relay.start();
      serve(PrometheusScrape.CONTENT_TYPE, new PrometheusScrape(registry)::text);
    }
  }

  private static void serve(String contentType, Supplier<String> text) {
    assertThat(contentType).startsWith("text/plain; version=0.0.4");
    String[] of = {"layout", "logistik", "table", "outbox_events"};
    awaitUntil(() -> Scraped.of(text.get()).sum("outbox_process_latency_count", of) == 2);
    awaitUntil(() -> Scraped.of(text.get()).sum("outbox_pending_count", of) >= 0);
    Scraped scraped = Scraped.of(text.get());
    assertThat(scraped.sum("outbox_oldest_age_seconds", of)).isGreaterThanOrEqualTo(0);
    assertThat(scraped.sum("outbox_failure_count", of)).isZero();
  }
}
