package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: the names, types and tags that Prometheus sees. */
class MetricNamesTest {
  private static final Set<String> WITH_TOPIC =
      Set.of(
          "outbox_process_latency",
          "outbox_failure_count",
          "outbox_attempts_total",
          "outbox_released_total",
          "outbox_topic_unavailable",
          "outbox_violations_total",
          "outbox_dead_events_total");

  @Test
  @DisplayName("R49: the four agreed metrics have exactly their names and types")
  void theAgreedNames() {
    Scraped scraped = Everything.scraped();

    assertThat(scraped.types())
        .containsEntry("outbox_pending_count", "gauge")
        .containsEntry("outbox_oldest_age_seconds", "gauge")
        .containsEntry("outbox_process_latency", "histogram")
        .containsEntry("outbox_failure_count", "counter")
        .containsEntry("outbox_dead_count", "gauge")
        .doesNotContainKeys("outbox_failure_count_total", "outbox_process_latency_seconds");
    assertThat(scraped.all("outbox_failure_count", "topic", "orders")).hasSize(1);
    assertThat(scraped.all("outbox_failure_count_total")).isEmpty();
    assertThat(scraped.all("outbox_process_latency_count", "topic", "orders")).hasSize(1);
    assertThat(scraped.all("outbox_process_latency_sum", "topic", "orders")).hasSize(1);
    assertThat(scraped.all("outbox_process_latency_bucket", "topic", "orders")).hasSize(19);
  }

  @Test
  @DisplayName(
      "R49: every other name is as Prometheus has it: _total of counters, _seconds of time")
  void theOtherNames() {
    Map<String, String> ours = Everything.scraped().ours();

    ours.remove("outbox_failure_count");
    ours.remove("outbox_process_latency");
    ours.remove("outbox_process_latency_max");
    assertThat(ours.keySet())
        .allSatisfy(
            name -> {
              boolean counter = "counter".equals(ours.get(name));
              boolean spread = Set.of("histogram", "summary").contains(ours.get(name));
              assertThat(name.endsWith("_total")).as(name).isEqualTo(counter);
              assertThat(!spread || name.endsWith("_seconds")).as(name).isTrue();
            });
  }

  @Test
  @DisplayName("R49: every metric has layout and table, and topic where an event is concerned")
  void theTags() {
    Scraped scraped = Everything.scraped();
    List<Scraped.Sample> ours =
        scraped.samples().stream().filter(s -> s.name().startsWith("outbox_")).toList();

    assertThat(ours).isNotEmpty();
    assertThat(ours)
        .allSatisfy(
            sample -> {
              assertThat(sample.has("layout", "native", "table", "postcommit_outbox"))
                  .as("%s", sample)
                  .isTrue();
              String metric = sample.name().replaceAll("_(bucket|sum|count|max)$", "");
              assertThat(sample.labels().containsKey("topic"))
                  .as("topic of %s", sample)
                  .isEqualTo(WITH_TOPIC.contains(metric) || WITH_TOPIC.contains(sample.name()));
            });
  }

  @Test
  @DisplayName("R49: every name is there before anything has happened")
  void everyNameIsThereFromTheStart() {
    PrometheusMeterRegistry quiet = Everything.registry();
    RelayMetrics.of(quiet, Everything.LAYOUT);
    PrometheusMeterRegistry busy = Everything.registry();
    Everything.happen(RelayMetrics.of(busy, Everything.LAYOUT));

    assertThat(Scraped.of(quiet).types()).isNotEmpty().isEqualTo(Scraped.of(busy).types());
  }

  @Test
  @DisplayName("R49: a registry without our convention has the usual names, as the page says")
  void theUsualNames() {
    PrometheusMeterRegistry usual = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RelayMetrics.of(usual, Everything.LAYOUT);

    assertThat(Scraped.of(usual.scrape()).types())
        .containsEntry("outbox_process_latency_seconds", "histogram")
        .containsEntry("outbox_failure_count_total", "counter")
        .doesNotContainKeys("outbox_process_latency", "outbox_failure_count");
  }

  @Test
  void aSchemaIsPartOfTheTablesName() {
    PrometheusMeterRegistry registry = Everything.registry();
    Layout layout = Layout.nativeTable(TableName.of("shop.events"));
    RelayMetrics.of(registry, layout);

    assertThat(Scraped.of(registry).all("outbox_paused", "table", "shop.events")).hasSize(1);
  }

  @Test
  void onlyTheNameOfTheFailuresIsChanged() {
    PrometheusMeterRegistry registry = Everything.registry();
    Counter.builder("outbox.failure.counts").register(registry).increment();
    Counter.builder("my.outbox.failure.count").register(registry).increment();
    RelayMetrics metrics = RelayMetrics.of(registry, Everything.LAYOUT);
    metrics.dead(Everything.event("a\noutbox_failure_count_total 7", Instant.now()), "gone");

    String text = new PrometheusScrape(registry).text();
    Scraped scraped = Scraped.of(text);

    assertThat(scraped.types())
        .containsEntry("outbox_failure_counts_total", "counter")
        .containsEntry("my_outbox_failure_count_total", "counter");
    assertThat(scraped.sum("outbox_failure_count", "topic", "a_outbox_failure_count_total 7"))
        .isEqualTo(1);
    assertThat(text.replace("outbox_failure_count{", "outbox_failure_count_total{"))
        .as("nothing but names differs")
        .isEqualTo(
            registry
                .scrape(PrometheusScrape.CONTENT_TYPE)
                .replace("# HELP outbox_failure_count_total ", "# HELP outbox_failure_count ")
                .replace("# TYPE outbox_failure_count_total ", "# TYPE outbox_failure_count "));
  }
}
