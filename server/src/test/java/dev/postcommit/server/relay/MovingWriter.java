package dev.postcommit.server.relay;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.testkit.ledger.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Counts up accounts that it shares with other writers, and writes an event of each change; the
 * count is the order that the account's events must have. One transaction in ten is rolled back,
 * some events have dedupe keys, and some of these are enqueued again.
 */
final class MovingWriter implements Callable<Void> {
  private static final int ACCOUNTS = 20;
  private static final Duration PACE = Duration.ofMillis(4);

  private record Keyed(String account, String dedupeKey) {}

  private final int number;
  private final String topic;
  private final DataSource dataSource;
  private final Ledger ledger;
  private final Random random;
  private final List<Keyed> keyed = new ArrayList<>();
  private volatile Outbox outbox = Outbox.create();
  private volatile boolean stopped;
  private boolean deduplicated = true;
  private int events;

  MovingWriter(int number, String topic, DataSource dataSource, Ledger ledger) {
    this.number = number;
    this.topic = topic;
    this.dataSource = dataSource;
    this.ledger = ledger;
    this.random = new Random(number);
  }

  static void prepare(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (id text PRIMARY KEY, n bigint NOT NULL)");
      statement.execute(
          "INSERT INTO account SELECT 'account-' || i, 0 FROM generate_series(0, %d) i"
              .formatted(ACCOUNTS - 1));
    }
  }

  /** Goes on with another outbox, as a new version of the service would. */
  void change(Outbox other) {
    outbox = other;
  }

  void withoutDedupeKeys() {
    deduplicated = false;
  }

  void stop() {
    stopped = true;
  }

  @Override
  public Void call() throws SQLException {
    while (!stopped) {
      try (Connection tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        if (deduplicated && !keyed.isEmpty() && random.nextInt(20) == 0) {
          repeat(tx);
        } else {
          write(tx);
        }
        tx.setAutoCommit(true);
      }
      LockSupport.parkNanos(PACE.toNanos());
    }
    return null;
  }

  private void write(Connection tx) throws SQLException {
    String account = "account-" + random.nextInt(ACCOUNTS);
    long position = countUp(tx, account);
    boolean hasKey = deduplicated && random.nextInt(5) == 0;
    Keyed key = new Keyed(account, number + "/" + events++);
    Event event = event(account, hasKey ? key.dedupeKey() : null);
    var unused = outbox.enqueue(tx, event);
    if (random.nextInt(10) == 0) {
      tx.rollback();
      ledger.rolledBack(event.id().toString());
      return;
    }
    tx.commit();
    ledger.committed(event.id().toString(), account, position);
    if (hasKey) {
      keyed.add(key);
    }
  }

  /** Enqueues an event under a key that was written before: it must not arrive. */
  private void repeat(Connection tx) throws SQLException {
    Keyed key = keyed.get(random.nextInt(keyed.size()));
    Event event = event(key.account(), key.dedupeKey());
    ledger.rolledBack(event.id().toString());
    var unused = outbox.enqueue(tx, event);
    tx.commit();
  }

  private Event event(String account, String dedupeKey) {
    Event.Builder event = Event.builder("account.changed").topic(topic).key(account).json("{}");
    return (dedupeKey == null ? event : event.dedupeKey(dedupeKey)).build();
  }

  private static long countUp(Connection tx, String account) throws SQLException {
    try (PreparedStatement statement =
        tx.prepareStatement("UPDATE account SET n = n + 1 WHERE id = ? RETURNING n")) {
      statement.setString(1, account);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
