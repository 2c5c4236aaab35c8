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
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A database of its own for one test, and events in whatever state the test wants them. */
public final class OutboxFixture implements AutoCloseable {
  private final PostgresDatabase database;
  private final Layout layout;
  private final Outbox outbox;

  public OutboxFixture() {
    this(PostgresServer.shared());
  }

  public OutboxFixture(PostgresServer server) {
    this(server, Layout.nativeTable());
  }

  /** With the tables of another preset. */
  public OutboxFixture(Layout layout) {
    this(PostgresServer.shared(), layout);
  }

  private OutboxFixture(PostgresServer server, Layout layout) {
    this.database = server.createDatabase();
    this.layout = layout;
    // Whoever writes rows by other means may name a topic that no broker has.
    this.outbox = Outbox.builder(layout).withoutTopicCheck().build();
  }

  /** The variables with which a command finds the database. */
  public Map<String, String> environment() {
    Map<String, String> variables = new HashMap<>();
    variables.put("POSTCOMMIT_DATABASE_URL", database.jdbcUrl());
    variables.put("POSTCOMMIT_DATABASE_USER", database.username());
    variables.put("POSTCOMMIT_HTTP_PORT", "off");
    if (!layout.equals(Layout.nativeTable())) {
      variables.put("POSTCOMMIT_LAYOUT", layout.name());
    }
    return variables;
  }

  public CapturedTerminal terminal() {
    return CapturedTerminal.withEnvironment(environment());
  }

  public PostgresDatabase database() {
    return database;
  }

  public OutboxAdmin admin() {
    return OutboxAdmin.of(database.dataSource(), layout);
  }

  public OutboxFixture migrate() {
    if (terminal().run("migrate") != 0) {
      throw new IllegalStateException("could not migrate");
    }
    return this;
  }

  public void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public String enqueue(Event.Builder event) throws SQLException {
    Event built = event.build();
    enqueueAll(List.of(built));
    return built.id().toString();
  }

  public void enqueueAll(List<Event> events) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      outbox.enqueueAll(connection, events);
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  public String enqueueDead(Event.Builder event, String error) throws SQLException {
    String id = enqueue(event);
    settle(new Outcome.Dead(id, error));
    return id;
  }

  public String enqueueDelivered(Event.Builder event) throws SQLException {
    String id = enqueue(event);
    settle(new Outcome.Delivered(id));
    return id;
  }

  private void settle(Outcome outcome) {
    try (OutboxStore store = OutboxStore.of(database.dataSource(), layout, UUID.randomUUID())) {
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
  }

  @Override
  public void close() {
    database.close();
  }
}
