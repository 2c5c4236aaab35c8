package dev.postcommit.store.held;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is held, as the locks of relays tell it. */
class HeldStatusIT {
  private static final String HOLD =
      "SELECT pg_advisory_xact_lock_shared(('%s'::regclass::oid::bigint << 32) | %d)";

  private static final String TURN =
      "SELECT pg_try_advisory_xact_lock(1886352244, '%s'::regclass::oid::int)";

  @Test
  @DisplayName("R49: held rows are in flight, and the relay whose turn it is counts")
  void heldRowsAreInFlight() throws SQLException {
    Layout layout = Layout.preset("packfinderz");
    Layout other = Layout.preset("packfinderz", TableName.of("others"));
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, layout);
      OutboxMigration.migrate(dataSource, other);
      OutboxAdmin admin = OutboxAdmin.of(dataSource, layout);
      try (Connection first = begin(dataSource, HOLD.formatted("outbox_events", 3));
          Connection second = begin(dataSource, HOLD.formatted("outbox_events", 2));
          Connection same = begin(dataSource, HOLD.formatted("outbox_events", 2));
          Connection elsewhere = begin(dataSource, HOLD.formatted("others", 9));
          Connection relay = begin(dataSource, TURN.formatted("outbox_events"));
          Connection another = begin(dataSource, TURN.formatted("others"))) {
        assertThat(admin.status().inFlight()).isEqualTo(7);
        assertThat(admin.status().relays()).isEqualTo(1);

        for (Connection tx : new Connection[] {first, second, same, elsewhere, relay, another}) {
          tx.rollback();
        }
        assertThat(admin.status().inFlight()).isZero();
        assertThat(admin.status().relays()).isZero();
      }
    }
  }

  private static Connection begin(DataSource dataSource, String sql) throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return connection;
  }
}
