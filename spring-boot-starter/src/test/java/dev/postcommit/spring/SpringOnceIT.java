package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.relay.Message;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that is told to deliver its log exactly once. */
class SpringOnceIT {
  private final KafkaServer kafka = KafkaServer.shared();
  private final Ledger ledger = Ledger.create();

  private void deliver(ApplicationContext context, int first, int last) {
    for (int id = first; id <= last; id++) {
      Event event = Orders.placed(id);
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(status -> context.getBean(SpringOutbox.class).enqueue(event));
      ledger.committed(event.id().toString(), Integer.toString(id), id);
    }
    OutboxAdmin admin = context.getBean(OutboxAdmin.class);
    await().atMost(Duration.ofSeconds(30)).until(() -> admin.status().pending() == 0);
  }

  @Test
  @DisplayName("by a setting, consumers of what is committed get each event of a log once")
  void eachEventArrivesOnceThroughARestart() {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      String topic = "once-" + database.name();
      kafka.createTopic(topic, 2);
      ApplicationContextRunner application =
          Contexts.onDatabase(database.jdbcUrl(), database.username())
              .withPropertyValues(
                  "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                  "postcommit.migrate=true",
                  "postcommit.layout=log",
                  "postcommit.route=fixed:" + topic,
                  "postcommit.kafka.transactional-id=id-of-" + topic);
      application.run(context -> deliver(context, 1, 20));
      application.run(context -> deliver(context, 21, 30));

      KafkaDeliveries deliveries =
          KafkaDeliveries.committed(kafka.bootstrapServers(), topic, ledger);
      deliveries.finish();
      deliveries.call();
      LedgerReport report = ledger.report();
      assertThat(report.clean()).as("%s", report).isTrue();
      assertThat(report.delivered()).as("%s", report).isEqualTo(30);
      assertThat(report.duplicates()).as("%s", report).isZero();
      assertThat(KafkaReader.read(kafka.bootstrapServers(), "postcommit-checkpoints", 2))
          .extracting(Message::key)
          .contains("id-of-" + topic);
    }
  }
}
