package dev.postcommit.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.server.Main;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One process with a relay for each of two databases, whose tables differ. */
class SeveralRelaysIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOPIC = "several-relays";

  private final Processes processes = Processes.create();
  private final PostgresDatabase orders = PostgresServer.shared().createDatabase();
  private final PostgresDatabase billing = PostgresServer.shared().createDatabase();

  @AfterEach
  void close() {
    processes.close();
    orders.close();
    billing.close();
  }

  private static void enqueue(PostgresDatabase database, Layout layout) throws SQLException {
    OutboxMigration.migrate(database.dataSource(), layout);
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(layout)
          .build()
          .enqueue(
              tx,
              Event.builder(TOPIC).aggregate("thing", UUID.randomUUID()).json("{\"n\":1}").build());
      tx.commit();
    }
  }

  private static boolean isEmpty(PostgresDatabase database, Layout layout) {
    return OutboxAdmin.of(database.dataSource(), layout).status().pending() == 0;
  }

  @Test
  @DisplayName("R48: several tables and databases are served by one process")
  void eachRelayServesItsOwnTable() throws Exception {
    KafkaServer.shared().createTopic(TOPIC, 1);
    enqueue(orders, Layout.nativeTable());
    enqueue(billing, Layout.preset("logistik"));
    ChildProcess process =
        processes
            .java(Main.class)
            .arguments("relay")
            .environment("POSTCOMMIT_RELAYS", "orders,billing")
            .environment("POSTCOMMIT_HTTP_PORT", "0")
            .environment("POSTCOMMIT_DATABASE_USER", orders.username())
            .environment(
                "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", KafkaServer.shared().bootstrapServers())
            .environment("POSTCOMMIT_RELAY_ORDERS_DATABASE_URL", orders.jdbcUrl())
            .environment("POSTCOMMIT_RELAY_BILLING_DATABASE_URL", billing.jdbcUrl())
            .environment("POSTCOMMIT_RELAY_BILLING_LAYOUT", "logistik")
            .start();

    await()
        .atMost(PATIENCE)
        .until(
            () ->
                isEmpty(orders, Layout.nativeTable())
                    && isEmpty(billing, Layout.preset("logistik")));
    URI address = AdminProcess.health(process);
    await().atMost(PATIENCE).until(() -> get(address, "/readyz").contains("\"UP\""));
    assertThat(get(address, "/readyz")).contains("\"orders\"", "\"billing\"");
    assertThat(get(address, "/actuator/prometheus").lines())
        .anyMatch(line -> isFigureOf(line, "orders", "postcommit_outbox"))
        .anyMatch(line -> isFigureOf(line, "billing", "outbox_events"));

    process.terminate();
    assertThat(process.awaitExit(PATIENCE)).as(process.output()).isZero();
  }

  private static boolean isFigureOf(String line, String relay, String table) {
    return line.startsWith("outbox_process_latency_count")
        && line.contains("relay=\"" + relay + "\"")
        && line.contains("table=\"" + table + "\"")
        && line.endsWith(" 1");
  }

  private static String get(URI address, String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve(path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
