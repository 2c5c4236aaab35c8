package dev.postcommit.store.log;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A log in a database of its own, and what tests do with it. */
final class LogTable implements AutoCloseable {
  static final Layout LAYOUT = Layout.log();

  /** Does not end within a test. */
  static final Duration LONG = Duration.ofMinutes(5);

  /** Ends within a test, and not between two of its steps. */
  static final Duration SHORT = Duration.ofSeconds(1);

  private static final int MAX_ATTEMPTS = 3;

  private final PostgresDatabase database;
  private final List<RelayStore> stores = new CopyOnWriteArrayList<>();

  private LogTable(PostgresDatabase database) {
    this.database = database;
  }

  static LogTable create() {
    return create(PostgresServer.shared());
  }

  static LogTable create(PostgresServer server) {
    LogTable table = new LogTable(server.createDatabase());
    OutboxMigration.migrate(table.dataSource(), LAYOUT);
    return table;
  }

  /** Empties the tables and frees the cursor; its snapshot stays. */
  void reset() {
    closeStores();
    execute(
        "SET LOCAL lock_timeout = '10s'; TRUNCATE postcommit_log, postcommit_log_dedupe, "
            + "postcommit_log_diverted, "
            + LAYOUT.diverted().flatMap(Layout::claims).orElseThrow().sql());
    execute(
        "UPDATE postcommit_log_cursor"
            + " SET owner = NULL, until = '-infinity', undecided_until = NULL");
  }

  PostgresDatabase database() {
    return database;
  }

  DataSource dataSource() {
    return database.dataSource();
  }

  OutboxAdmin admin() {
    return OutboxAdmin.of(dataSource(), LAYOUT);
  }

  Session session() throws SQLException {
    return new Session(database.jdbcUrl(), database.username());
  }

  /** A store of a new worker. */
  RelayStore store() {
    return store(dataSource());
  }

  /** A store of a new worker, over this pool. */
  RelayStore store(DataSource pool) {
    RelayStore store = Stores.open(pool, LAYOUT, UUID.randomUUID());
    stores.add(store);
    return store;
  }

  static Event event(@Nullable String key) {
    Event.Builder event = Event.builder("happened").json("1");
    return (key == null ? event : event.key(key)).build();
  }

  /** Writes events of this key, each in a transaction of its own. */
  List<String> enqueue(String key, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.addAll(enqueueAll(List.of(event(key))));
    }
    return ids;
  }

  /** Writes events of this key in one transaction. */
  List<String> enqueueAtOnce(String key, int count) {
    return enqueueAll(Stream.generate(() -> event(key)).limit(count).toList());
  }

  /** Writes events of keys by turns, so many of each, in one transaction. */
  List<String> enqueueInTurn(int keys, int ofEach) {
    return enqueueAll(
        IntStream.range(0, keys * ofEach).mapToObj(i -> event("key-" + i % keys)).toList());
  }

  /** Writes events in one transaction. */
  List<String> enqueueAll(List<Event> events) {
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      List<String> ids =
          Outbox.builder(LAYOUT).build().enqueueAll(tx, events).stream()
              .map(enqueued -> enqueued.id().toString())
              .toList();
      tx.commit();
      return ids;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  static ClaimRequest upTo(int size) {
    return upTo(size, LONG);
  }

  static ClaimRequest upTo(int size, Duration lease) {
    return ClaimRequest.of(size, lease, MAX_ATTEMPTS);
  }

  static List<String> ids(Claim claim) {
    return claim.events().stream().map(StoredEvent::id).toList();
  }

  /** Delivers all there is, in batches; returns the ids in the order of delivery. */
  static List<String> drain(OutboxStore store) {
    return drain(store, upTo(100));
  }

  static List<String> drain(OutboxStore store, ClaimRequest request) {
    List<String> delivered = new ArrayList<>();
    for (Claim claim = store.claim(request); !claim.isEmpty(); claim = store.claim(request)) {
      List<String> ids = ids(claim);
      store.settle(claim, ids.stream().map(Outcome.Delivered::new).toList());
      delivered.addAll(ids);
    }
    return delivered;
  }

  /** Delivers until these are delivered, which happens within moments, and all there is then. */
  static List<String> drain(OutboxStore store, List<String> expected) {
    List<String> delivered = new ArrayList<>();
    await(
        () -> {
          delivered.addAll(drain(store));
          return delivered.containsAll(expected);
        });
    return delivered;
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(5))
        .until(condition);
  }

  /**
   * Writes events, and has a store read each in a window of its own while a claim of it is not
   * settled, until it has looked for rows that it left out, behind the first of these windows.
   */
  List<String> readAhead(OutboxStore store, Claim unsettled) {
    List<String> ids = new ArrayList<>();
    await(
        () -> {
          ids.addAll(enqueue("ahead-" + ids.size(), 1));
          store.renew(unsettled, LONG);
          store.claim(upTo(1));
          return cursor("checked_floor") >= seq(ids.get(0));
        });
    return ids;
  }

  private long seq(String id) {
    return number("SELECT seq FROM postcommit_log WHERE id = '" + id + "'");
  }

  /** Whether rows that were left out were looked for since an event was written. */
  boolean isChecked(String id) {
    return query(
            "SELECT pg_visible_in_snapshot(t.xid, c.checked) FROM postcommit_log_cursor c,"
                + " postcommit_log t WHERE t.id = '"
                + id
                + "'")
        .equals("t");
  }

  /** How far the log is delivered, as its cursor says. */
  String position() {
    return query("SELECT concat(seen, ' ', upto, ' ', position) FROM postcommit_log_cursor");
  }

  long cursor(String column) {
    return number("SELECT " + column + " FROM postcommit_log_cursor");
  }

  long number(String sql) {
    return Long.parseLong(query(sql));
  }

  /** The first column of the first row. */
  String query(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  void execute(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  void closeStores() {
    stores.forEach(RelayStore::close);
    stores.clear();
  }

  @Override
  public void close() {
    closeStores();
    database.close();
  }
}
