package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Marks in Postgres. */
final class JdbcInboxStores implements InboxStores {
  private static final String END_LEASES =
      "UPDATE processed_events_claim SET until = clock_timestamp() - interval '1 second'";

  private final UnaryOperator<String> mutation;

  JdbcInboxStores(UnaryOperator<String> mutation) {
    this.mutation = mutation;
  }

  @Override
  public void create(DataSource database) throws SQLException {
    InboxMigration.migrate(database, TableName.of("processed_events"));
    // Whom the tables belong to is decided here, and not by the first run.
    open(database).problem(Broker.id("k"));
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (event_id text NOT NULL, consumer text NOT NULL)");
    }
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "DELETE FROM processed_events; DELETE FROM processed_events_claim; DELETE FROM effect");
    }
  }

  @Override
  public IdempotencyStore open(Stage.Role self, Wire wire) {
    IdempotencyStore store = open(WiredConnections.of(self, self.connections(mutation), wire));
    store.problem(Broker.id("k"));
    return store;
  }

  @Override
  public IdempotencyStore unwatched(Stage stage) {
    return open(kept(stage));
  }

  /** To connect takes longer than a run. */
  private static DataSource kept(Stage stage) {
    Connection connection =
        JdbcProxy.of(
            Connection.class,
            (method, arguments) -> {
              if (method.getName().equals("close")) {
                stage.unwatched().setAutoCommit(true);
                return null;
              }
              return JdbcProxy.call(stage.unwatched(), method, arguments);
            });
    return JdbcProxy.of(DataSource.class, (method, arguments) -> connection);
  }

  private static JdbcIdempotencyStore open(DataSource database) {
    return JdbcIdempotencyStore.builder(database, InboxScenario.CONSUMER)
        .inProgressTime(Duration.ofHours(1))
        .build();
  }

  @Override
  public void timePasses(Stage.Role self) throws SQLException {
    try (Connection connection = self.connections().getConnection()) {
      endLeases(connection);
    }
  }

  @Override
  public void timePasses(Stage stage) throws SQLException {
    endLeases(stage.unwatched());
  }

  private static void endLeases(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(END_LEASES);
    }
  }

  @Override
  public Set<String> processed(Stage stage) throws SQLException {
    Set<String> names = new HashSet<>();
    try (Statement statement = stage.unwatched().createStatement();
        ResultSet row = statement.executeQuery("SELECT event_id FROM processed_events")) {
      while (row.next()) {
        names.add(Broker.name(row.getString(1)));
      }
    }
    return names;
  }
}
