package dev.postcommit.examples.minichat;

import static dev.postcommit.examples.minichat.Fixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.examples.minichat.billing.Billing;
import dev.postcommit.examples.minichat.chat.ChatService;
import dev.postcommit.examples.minichat.chat.Finalised;
import dev.postcommit.examples.minichat.dispatcher.DeadUsage;
import dev.postcommit.examples.minichat.dispatcher.UsageDispatcher;
import dev.postcommit.examples.minichat.dispatcher.UsageMetrics;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What operators see of usage events (R38, R55). */
class UsageMetricsIT {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final UsageMetrics metrics = new UsageMetrics(registry);

  @Test
  void deadUsageIsCountedAndDegradesTheHealth() throws Exception {
    try (Fixture miniChat = new Fixture()) {
      DeadUsage dead =
          new DeadUsage(OutboxAdmin.of(miniChat.chat, Layout.preset("modkit")), registry);
      assertThat(dead.read().isDegraded()).isFalse();
      ChatService service = new ChatService(miniChat.chat, Fixture.POLICY, metrics::finalised);
      ChatService unknownPolicy = new ChatService(miniChat.chat, 8, metrics::finalised);
      service.finalise(miniChat.reserve(), Fixture.COMPLETED);
      unknownPolicy.finalise(miniChat.reserve(unknownPolicy), Fixture.COMPLETED);
      metrics.finalised(new Finalised.AlreadyEnqueued(UUID.randomUUID()));

      try (Relay dispatcher =
          UsageDispatcher.of(
              miniChat.chat, new Billing(miniChat.billing), Fixture.CONFIG, metrics)) {
        dispatcher.start();
        eventually().until(() -> miniChat.events("status IN ('delivered', 'dead')") == 2);
      }
      Sql.transact(
          miniChat.chat,
          tx ->
              Sql.update(
                  tx, "UPDATE modkit_outbox_events SET created_at = created_at - interval '2 h'"));

      DeadUsage.Reading reading = dead.read();
      assertThat(reading.backlog()).isEqualTo(1);
      assertThat(reading.oldestAge()).isBetween(Duration.ofHours(2), Duration.ofHours(3));
      assertThat(reading.isDegraded()).isTrue();
      assertThat(dead.events(10))
          .singleElement()
          .satisfies(event -> assertThat(event.error()).contains("no policy of version 8"));
      assertThat(registry.scrape().lines())
          .contains(
              "mini_chat_outbox_enqueue_total{kind=\"usage\",result=\"written\"} 2.0",
              "mini_chat_outbox_enqueue_total{kind=\"usage\",result=\"already_enqueued\"} 1.0",
              "mini_chat_outbox_handler_total{kind=\"usage\",result=\"success\"} 1.0",
              "mini_chat_outbox_handler_total{kind=\"usage\",result=\"retry\"} 3.0",
              "mini_chat_outbox_handler_total{kind=\"usage\",result=\"reject\"} 1.0",
              "mini_chat_outbox_dead_letter_backlog{kind=\"usage\"} 1.0")
          .anyMatch(
              line ->
                  line.startsWith(
                      "mini_chat_outbox_dead_letter_oldest_age_seconds{kind=\"usage\"} 72"));
    }
  }

  @Test
  void oldUsageAloneDegradesTheHealth() {
    assertThat(new DeadUsage.Reading(0, Duration.ofHours(1)).isDegraded()).isFalse();
    assertThat(new DeadUsage.Reading(0, Duration.ofSeconds(3601)).isDegraded()).isTrue();
  }
}
