package dev.postcommit.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.fixture.AdoptedSample;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A relay on a table that an application had before Postcommit. */
class AdoptedRelayIT {

  @Test
  @DisplayName("an adopted table described by a file is delivered in order, in its own words")
  void anAdoptedTableIsDelivered() throws SQLException {
    Layout layout = LayoutFile.read(AdoptedSample.file());
    List<Message> sent = new CopyOnWriteArrayList<>();
    Publisher broker =
        Publisher.callback(
            Duration.ofSeconds(5),
            message -> {
              if ("order-13".equals(message.key())) {
                throw new IllegalStateException("no such order");
              }
              sent.add(message);
            });
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      AdoptedSample.create(dataSource);
      for (int i = 0; i < 30; i++) {
        AdoptedSample.insert(dataSource, "order.placed", "order-" + i % 3, "body " + i);
      }
      AdoptedSample.insert(dataSource, "order.placed", "order-13", "never");
      OutboxAdmin admin = OutboxAdmin.of(dataSource, layout);
      try (Relay relay =
          Relay.builder(dataSource, broker)
              .layout(layout)
              .retryPolicy(RelayFixture.QUICK)
              .pollInterval(Duration.ofMillis(20))
              .build()) {
        relay.start();
        await().until(() -> admin.status().pending() == 0);
      }

      assertThat(sent).hasSize(30).allMatch(message -> message.topic().equals("order.placed"));
      assertThat(sent.stream().filter(message -> "order-1".equals(message.key())))
          .extracting(message -> new String(message.body(), UTF_8))
          .containsExactly(
              "body 1", "body 4", "body 7", "body 10", "body 13", "body 16", "body 19", "body 22",
              "body 25", "body 28");
      assertThat(admin.status().dead()).isEqualTo(1);
      assertThat(
              text(
                  dataSource,
                  """
                  SELECT string_agg(state || ' ' || n, ', ' ORDER BY state) FROM (
                    SELECT state, count(*) AS n FROM legacy.domain_events
                    WHERE (state = 'SENT') = (sent IS NOT NULL) GROUP BY state) s"""))
          .isEqualTo("BROKEN 1, SENT 30");
      assertThat(
              text(
                  dataSource, "SELECT error || ', ' || attempts FROM legacy.domain_events_failure"))
          .contains("no such order")
          .endsWith(", 3");
    }
  }

  private static String text(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
