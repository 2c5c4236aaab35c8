package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A relay whose table does not fit, until it does. */
class RelayTableIT {
  private final List<String> reasons = new CopyOnWriteArrayList<>();
  private final RelayListener listener =
      new RelayListener() {
        @Override
        public void databaseUnavailable(String reason) {
          reasons.add(reason);
        }
      };

  @Test
  @DisplayName(
      "R28: a relay claims nothing from a table that does not fit, and starts once it does")
  void aRelayWaitsForATableThatFits() throws Exception {
    ScriptedPublisher publisher = new ScriptedPublisher();
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      try (Relay relay =
          Relay.builder(dataSource, publisher)
              .pollInterval(Duration.ofMillis(20))
              .listener(listener)
              .build()) {
        relay.start();
        await().until(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);

        OutboxMigration.migrate(dataSource, Layout.nativeTable());
        Event event = Event.builder("happened").key("k").json("1").build();
        try (Connection tx = dataSource.getConnection()) {
          tx.setAutoCommit(false);
          Outbox.create().enqueue(tx, event);
          tx.commit();
          tx.setAutoCommit(true);
        }

        await().until(() -> publisher.accepted().contains(event.id().toString()));
        assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
      }
      assertThat(reasons)
          .containsExactly(
              "there is no table postcommit_outbox; run 'postcommit migrate' or"
                  + " OutboxMigration.migrate");
    }
  }

  @Test
  @DisplayName("a relay says everything that keeps it from its table at once")
  void aRelaySaysEverythingThatDoesNotFit() throws Exception {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase();
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
      statement.execute("ALTER TABLE postcommit_outbox RENAME payload TO content");
      statement.execute("DROP TABLE postcommit_outbox_claim");
      try (Relay relay =
          Relay.builder(database.dataSource(), new ScriptedPublisher())
              .listener(listener)
              .build()) {
        relay.start();
        await().until(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      }
      assertThat(reasons)
          .singleElement()
          .asString()
          .contains("there is no column payload for PAYLOAD")
          .contains("; there is no table postcommit_outbox_claim, where claims are kept; run");
    }
  }
}
