package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database with the tables of an inbox, and one in which handlers leave their effects. */
abstract class TransactionalFixture {
  static final TableName PROCESSED = TableName.of("processed_events");

  PostgresDatabase database;

  @BeforeEach
  void createTables() throws SQLException {
    database = PostgresServer.shared().createDatabase();
    InboxMigration.migrate(database.dataSource(), PROCESSED);
    execute("CREATE TABLE effect (event_id text NOT NULL, at bigint GENERATED ALWAYS AS IDENTITY)");
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  JdbcIdempotencyStore store() {
    return JdbcIdempotencyStore.builder(database.dataSource(), ConsumerContract.CONSUMER).build();
  }

  Inbox transactional() {
    return Inbox.transactional(store());
  }

  EventConsumer.Builder consumer() {
    return EventConsumer.builder(ConsumerContract.CONSUMER).inbox(transactional());
  }

  static void effect(Connection tx, ReceivedEvent<?> event) throws SQLException {
    try (PreparedStatement insert =
        tx.prepareStatement("INSERT INTO effect (event_id) VALUES (?)")) {
      insert.setString(1, event.id());
      insert.executeUpdate();
    }
  }

  /** The events that had an effect, one entry for each effect, in the order of the effects. */
  List<String> effects() throws SQLException {
    return texts("SELECT event_id FROM effect ORDER BY at");
  }

  List<String> processed() throws SQLException {
    return texts("SELECT event_id FROM processed_events");
  }

  List<String> texts(String query) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
