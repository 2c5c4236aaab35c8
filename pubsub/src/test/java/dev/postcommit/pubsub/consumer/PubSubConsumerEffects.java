package dev.postcommit.pubsub.consumer;

import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A database in which handlers leave their effects, one row for each, as often as they happen. */
final class PubSubConsumerEffects implements AutoCloseable {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();

  PubSubConsumerEffects() {
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE effect (seq bigserial PRIMARY KEY, key text NOT NULL, number int NOT NULL)");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  PostgresDatabase database() {
    return database;
  }

  /** Leaves the effect of an event whose data is a number. */
  static void write(Connection tx, ReceivedEvent<String> event) throws SQLException {
    try (PreparedStatement insert =
        tx.prepareStatement("INSERT INTO effect (key, number) VALUES (?, ?)")) {
      insert.setString(1, event.key());
      insert.setInt(2, Integer.parseInt(event.data()));
      insert.executeUpdate();
    }
  }

  int count() {
    return byKey().values().stream().mapToInt(List::size).sum();
  }

  /** The effects of each key, in the order in which they happened. */
  Map<String, List<Integer>> byKey() {
    Map<String, List<Integer>> effects = new HashMap<>();
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement query =
            connection.prepareStatement("SELECT key, number FROM effect ORDER BY seq");
        ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        effects.computeIfAbsent(rows.getString(1), key -> new ArrayList<>()).add(rows.getInt(2));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return effects;
  }

  @Override
  public void close() {
    database.close();
  }
}
