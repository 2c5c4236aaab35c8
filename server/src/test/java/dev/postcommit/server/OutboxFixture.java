package dev.postcommit.server;

import dev.postcommit.Event;
import dev.postcommit.Ordering;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A database of its own for one test, and events in whatever state the test wants them. */
final class OutboxFixture implements AutoCloseable {
  private static final Layout LAYOUT = Layout.nativeTable();

  private final PostgresDatabase database;
  private final Outbox outbox = Outbox.builder(LAYOUT).build();

  OutboxFixture() {
    this(PostgresServer.shared());
  }

  OutboxFixture(PostgresServer server) {
    database = server.createDatabase();
  }

  /** The variables with which a command finds the database. */
  Map<String, String> environment() {
    return Map.of(
        "POSTCOMMIT_DATABASE_URL", database.jdbcUrl(),
        "POSTCOMMIT_DATABASE_USER", database.username(),
        "POSTCOMMIT_HTTP_PORT", "off");
  }

  CapturedConsole console() {
    return CapturedConsole.withEnvironment(environment());
  }

  PostgresDatabase database() {
    return database;
  }

  OutboxAdmin admin() {
    return OutboxAdmin.of(database.dataSource(), LAYOUT);
  }

  OutboxFixture migrate() {
    if (console().run("migrate") != 0) {
      throw new IllegalStateException("could not migrate");
    }
    return this;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String enqueue(Event.Builder event) throws SQLException {
    Event built = event.build();
    enqueueAll(List.of(built));
    return built.id().toString();
  }

  void enqueueAll(List<Event> events) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      outbox.enqueueAll(connection, events);
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  String enqueueDead(Event.Builder event, String error) throws SQLException {
    String id = enqueue(event);
    settle(new Outcome.Dead(id, error));
    return id;
  }

  String enqueueDelivered(Event.Builder event) throws SQLException {
    String id = enqueue(event);
    settle(new Outcome.Delivered(id));
    return id;
  }

  private void settle(Outcome outcome) {
    OutboxStore store = OutboxStore.of(database.dataSource(), LAYOUT, UUID.randomUUID());
    Claim claim =
        store.claim(
            new ClaimRequest(
                100, 1 << 20, Duration.ofSeconds(30), 20, Ordering.PER_KEY, null, null));
    store.settle(
        claim,
        claim.events().stream()
            .map(
                event ->
                    event.id().equals(outcome.id()) ? outcome : new Outcome.Released(event.id()))
            .toList());
  }

  @Override
  public void close() {
    database.close();
  }
}
