package dev.postcommit.examples.logistik;

import dev.postcommit.examples.logistik.Story.Untrue;
import dev.postcommit.micrometer.PrometheusScrape;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What table, broker and metrics say. */
final class Findings {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern MESSAGE_ID = Pattern.compile("^\\{\"messageId\": ?\"([^\"]+)\"");
  private static final Pattern FOUR =
      Pattern.compile(
          "(outbox_pending_count|outbox_oldest_age_seconds|outbox_process_latency_(count|sum)"
              + "|outbox_failure_count)\\{.*");

  private final JdbcClient jdbc;
  private final PrometheusScrape metrics;
  private final KafkaServer kafka;

  Findings(ApplicationContext application, KafkaServer kafka) {
    this.jdbc = application.getBean(JdbcClient.class);
    this.metrics = new PrometheusScrape(application.getBean(PrometheusMeterRegistry.class));
    this.kafka = kafka;
  }

  /** Waits for something that comes in time. */
  void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new Untrue("%s: not after %d s".formatted(what, PATIENCE.toSeconds()));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Untrue(what + ": interrupted");
      }
    }
  }

  /** The state of an event, its attempts and its last error, as its row has them. */
  String status(UUID event) {
    return jdbc.sql(
            "SELECT status || ' after ' || retry_count || ' attempts: ' || coalesce(last_error, '')"
                + " FROM outbox_events WHERE id = ?")
        .param(event)
        .query(String.class)
        .single();
  }

  /** How many events are published. */
  int published() {
    return count("status = 'PUBLISHED'");
  }

  private int count(String condition) {
    return jdbc.sql("SELECT count(*) FROM outbox_events WHERE " + condition)
        .query(Integer.class)
        .single();
  }

  /** The lines of Logistik's four metrics. */
  List<String> fourMetrics() {
    return metrics.text().lines().filter(line -> FOUR.matcher(line).matches()).toList();
  }

  /** The sum of a metric over its lines; not a number before the first reading. */
  double figure(String name) {
    return fourMetrics().stream()
        .filter(line -> line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /**
   * Compares orders, table, broker and metrics.
   *
   * @param committed the events of all orders that were committed
   * @return how many messages there are in Kafka
   */
  int verify(Collection<UUID> committed) {
    List<String> bodies =
        KafkaReader.read(kafka.bootstrapServers(), OrdersServiceV2.PLACED, committed.size())
            .stream()
            .map(message -> new String(message.body(), StandardCharsets.UTF_8))
            .toList();
    Set<UUID> delivered = new HashSet<>();
    for (String body : bodies) {
      Matcher id = MESSAGE_ID.matcher(body);
      check(id.find(), "a message without messageId: " + body);
      delivered.add(UUID.fromString(id.group(1)));
    }
    check(delivered.equals(Set.copyOf(committed)), "Kafka has other events than were committed");
    int rows = jdbc.sql("SELECT count(*) FROM orders").query(Integer.class).single();
    check(rows == committed.size(), rows + " orders are in the table");
    check(count("status = 'PENDING'") == 0, "events are still PENDING");
    check(count("status = 'FAILED'") == 1, "not one event FAILED");
    check(
        count("status = 'PUBLISHED' AND retry_count > 0") == 0,
        "a broker that was at fault has used up attempts");
    check(count("true") == committed.size() + 2, "rows of events are missing, or too many");
    check(figure("outbox_oldest_age_seconds") == 0, "outbox_oldest_age_seconds is not 0");
    check(figure("outbox_failure_count") >= 1, "outbox_failure_count has not counted");
    check(
        figure("outbox_process_latency_count") >= committed.size(),
        "outbox_process_latency has not counted");
    return bodies.size();
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new Untrue(otherwise);
    }
  }
}
