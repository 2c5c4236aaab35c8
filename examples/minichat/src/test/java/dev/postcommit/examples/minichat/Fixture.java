package dev.postcommit.examples.minichat;

import dev.postcommit.RetryPolicy;
import dev.postcommit.examples.minichat.billing.Billing;
import dev.postcommit.examples.minichat.chat.ChatService;
import dev.postcommit.examples.minichat.chat.Ending;
import dev.postcommit.examples.minichat.chat.Model;
import dev.postcommit.examples.minichat.chat.Reservation;
import dev.postcommit.examples.minichat.chat.Turn;
import dev.postcommit.examples.minichat.dispatcher.DispatcherConfig;
import dev.postcommit.examples.minichat.dispatcher.UsageDispatcher;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.examples.minichat.usage.ToolCalls;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Mini Chat and billing for one test, each with a database of its own. */
final class Fixture implements AutoCloseable {
  static final long POLICY = 7;
  static final Ending COMPLETED =
      new Ending.Completed(TokenUsage.of(100, 200), new ToolCalls(1, 2, 3));

  static final DispatcherConfig CONFIG =
      new DispatcherConfig(
          10,
          Duration.ofMillis(20),
          Duration.ofSeconds(10),
          new RetryPolicy(4, Duration.ofMillis(40), Duration.ofMillis(100)));

  final PostgresDatabase chatDatabase = PostgresServer.shared().createDatabase();
  final PostgresDatabase billingDatabase = PostgresServer.shared().createDatabase();
  final DataSource chat = chatDatabase.dataSource();
  final DataSource billing = billingDatabase.dataSource();
  final ChatService service = new ChatService(chat, POLICY, result -> {});
  final UUID tenant = UUID.randomUUID();
  final UUID user = UUID.randomUUID();
  final UUID chatId;

  Fixture() throws SQLException {
    ChatService.createTables(chat);
    Billing.createTables(billing, POLICY);
    chatId = service.openChat(tenant, user, 1_000_000_000);
  }

  /** Begins a turn. */
  UUID reserve() throws SQLException {
    return reserve(service);
  }

  /** Begins a turn under another policy. */
  UUID reserve(ChatService other) throws SQLException {
    Reservation reservation =
        other.reserve(chatId, UUID.randomUUID(), Model.STANDARD, "Why is it so?");
    return ((Reservation.Reserved) reservation).turnId();
  }

  /** Settles so many turns. */
  void settle(int turns) throws SQLException {
    for (int i = 0; i < turns; i++) {
      service.finalise(reserve(), COMPLETED);
    }
  }

  /** A dispatcher, not started. */
  Relay dispatcher(Publisher.Callback callback) {
    return UsageDispatcher.of(chat, callback, CONFIG, new RelayListener() {});
  }

  /** Waits for a condition, with patience enough for a busy machine. */
  static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10));
  }

  void awaitDelivered(long events) {
    eventually().until(() -> events("status = 'delivered'") == events);
  }

  long events(String condition) throws SQLException {
    return Sql.number(chat, "SELECT count(*) FROM modkit_outbox_events WHERE " + condition);
  }

  /** Whether there is one event of a turn, new, and of the transaction that settled the turn. */
  boolean hasEventOfItsTransaction(Turn turn) throws SQLException {
    return Sql.query(
            chat,
            """
            SELECT e.xmin = t.xmin AND e.xmin = q.xmin AND e.status = 'pending'
              AND e.attempts = 0 AND e.next_attempt_at <= now()
              AND e.locked_by IS NULL AND e.locked_until IS NULL
            FROM modkit_outbox_events e, turns t, quotas q
            WHERE e.dedupe_key = ? AND t.id = ? AND q.user_id = ?""",
            row -> row.getBoolean(1),
            turn.dedupeKey(),
            turn.id(),
            turn.userId())
        .equals(List.of(true));
  }

  /** Writes the event of a turn again, past the outbox. */
  void insertAgain(Turn turn) throws SQLException {
    Sql.transact(
        chat,
        tx ->
            Sql.update(
                tx,
                """
                INSERT INTO modkit_outbox_events (id, namespace, topic, dedupe_key, payload, status)
                SELECT gen_random_uuid(), namespace, topic, dedupe_key, payload, status
                FROM modkit_outbox_events WHERE dedupe_key = ?""",
                turn.dedupeKey()));
  }

  /** How many dispatchers hold events. */
  long leaseHolders() throws SQLException {
    return Sql.number(
        chat,
        "SELECT count(DISTINCT locked_by) FROM modkit_outbox_events WHERE locked_until > now()");
  }

  /** Leaves others without a trace of the database sessions of dispatchers. */
  void hideSessions() throws SQLException {
    try (Connection connection = chat.getConnection()) {
      Sql.update(connection, "DELETE FROM modkit_outbox_events_relay");
    }
  }

  /** The events that are leased, and until when. */
  Map<String, OffsetDateTime> leases() throws SQLException {
    return Sql.query(
            chat,
            "SELECT id, locked_until FROM modkit_outbox_events WHERE status = 'processing'",
            row -> Map.entry(row.getString(1), row.getObject(2, OffsetDateTime.class)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  OffsetDateTime databaseTime() throws SQLException {
    return Sql.query(
            chat, "SELECT clock_timestamp()", row -> row.getObject(1, OffsetDateTime.class))
        .get(0);
  }

  long chargedMicro() throws SQLException {
    return Sql.number(billing, "SELECT coalesce(sum(billed_micro), 0) FROM accounts");
  }

  long charges() throws SQLException {
    return Sql.number(billing, "SELECT count(*) FROM charges");
  }

  long settledMicro() throws SQLException {
    return Sql.number(chat, "SELECT coalesce(sum(actual_micro), 0) FROM turns");
  }

  @Override
  public void close() {
    chatDatabase.close();
    billingDatabase.close();
  }
}
