package dev.postcommit.testkit.contract;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.StatusWords;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** One database with the tables of one layout, empty before each test. */
public abstract class LayoutFixture extends DatabaseFixture {
  /** Long enough not to end within a test. */
  protected static final Duration LEASE = Duration.ofMinutes(5);

  /** Ends within a test. */
  protected static final Duration NO_TIME = Duration.ofMillis(100);

  /** The attempts each event has. */
  protected static final int MAX_ATTEMPTS = 3;

  /** The roles whose columns change after a row was written. */
  private static final Set<Role> LIFECYCLE =
      EnumSet.of(
          Role.DUE_AT,
          Role.STATUS,
          Role.ATTEMPTS,
          Role.LAST_ERROR,
          Role.DELIVERED_AT,
          Role.PROCESSED,
          Role.LOCKED_BY,
          Role.LOCKED_UNTIL,
          Role.UPDATED_AT);

  private final List<OutboxStore> stores = new CopyOnWriteArrayList<>();

  /** Has failures say with which layout a test failed. */
  @RegisterExtension
  final TestExecutionExceptionHandler nameOfLayout =
      (context, failure) -> {
        throw withLayout(failure);
      };

  private final LayoutSample sample;

  /** A fixture of the layout under test. */
  protected LayoutFixture(LayoutSample sample) {
    this.sample = sample;
  }

  private Throwable withLayout(Throwable failure) {
    failure.addSuppressed(new AssertionError("layout: " + sample));
    return failure;
  }

  /** The layout under test. */
  protected final Layout layout() {
    return sample.layout();
  }

  /** An event with this key and no topic of its own, as the layout can hold it. */
  protected final Event.Builder event(String key) {
    return sample.event().apply(key);
  }

  /** An event of a tenant, as the layout can hold it. */
  protected final Event tenantEvent(UUID tenant) {
    return sample.tenantEvent().apply(tenant);
  }

  @Override
  protected void createTables() {
    sample.tables().accept(dataSource());
  }

  @BeforeEach
  final void emptyTables() {
    List<TableName> tables =
        new ArrayList<>(
            List.of(
                layout().table(),
                layout().audit(),
                layout().relays(),
                layout().pause(),
                layout().topics()));
    layout().failures().ifPresent(tables::add);
    layout().headers().ifPresent(tables::add);
    layout().dedupeKeys().ifPresent(tables::add);
    settled().claims().ifPresent(claims -> tables.addAll(List.of(settled().table(), claims)));
    tables.forEach(table -> execute("TRUNCATE " + table.sql()));
  }

  @AfterEach
  final void closeStores() {
    stores.forEach(OutboxStore::close);
    stores.clear();
  }

  /** An outbox with every default. */
  protected final Outbox outbox() {
    return Outbox.builder(layout()).build();
  }

  /** A store of a new worker. */
  protected final OutboxStore store() {
    OutboxStore store = OutboxStore.of(relayConnections(), layout(), UUID.randomUUID());
    stores.add(store);
    return store;
  }

  /**
   * A store that works beside {@code first}, which has claimed: another worker's, or {@code first}
   * itself where the others stand by.
   */
  protected final OutboxStore beside(OutboxStore first) {
    return isHeld() || isLog() ? first : store();
  }

  /** Whether rows are taken by locking them. */
  protected final boolean isHeld() {
    return layout().isHeld();
  }

  /** Whether rows never change. */
  protected final boolean isLog() {
    return layout().isLog();
  }

  /** The layout of the table that tells of failed events: that beside a log, else the same. */
  protected final Layout settled() {
    return layout().diverted().orElse(layout());
  }

  /**
   * The attempt for which an event comes back from a worker that died: a held row shows no trace,
   * nor does that of a log.
   */
  protected final int attemptAfterCrash() {
    return isHeld() || isLog() ? 1 : 2;
  }

  /** The number of rows in flight that the tables show of so many: those of a log show none. */
  protected final long shownInFlight(long rows) {
    return isLog() ? 0 : rows;
  }

  /** Where a row stands: pending, processing, delivered or dead. */
  protected final String state(String id) {
    return switch (layout().lifecycle().kind()) {
      case STATUS -> {
        StatusWords words = layout().lifecycle().statusWords().orElseThrow();
        String word = String.valueOf(value(id, Role.STATUS));
        yield Map.of(
                words.pending(), "pending", words.delivered(), "delivered", words.dead(), "dead")
            .getOrDefault(word, word);
      }
      case PUBLISHED_AT -> {
        boolean worn = attempts(id) >= layout().retryPolicy().maxAttempts();
        yield value(id, Role.DELIVERED_AT) != null ? "delivered" : worn ? "dead" : "pending";
      }
      case PROCESSED_FLAG -> {
        boolean dead = failure(id, "dead_at") != null;
        yield dead ? "dead" : "true".equals(value(id, Role.PROCESSED)) ? "delivered" : "pending";
      }
      case LOG ->
          isDiverted(id)
              ? String.valueOf(value(id, Role.STATUS))
              : backlog(id) > 0 ? "pending" : "delivered";
      case CLAIMED, LEASED -> String.valueOf(value(id, Role.STATUS));
    };
  }

  /** The attempts recorded for an event. */
  protected final int attempts(String id) {
    if (isLog() && !isDiverted(id)) {
      return 0;
    }
    String attempts =
        settled().column(Role.ATTEMPTS).isPresent()
            ? value(id, Role.ATTEMPTS)
            : failure(id, "attempts");
    return attempts == null ? 0 : Integer.parseInt(attempts);
  }

  /** What the table of failures says of an event, as text, or null. */
  private @Nullable String failure(String id, String column) {
    String[] found = new String[1];
    String table = layout().failures().orElseThrow().sql();
    query(
        "SELECT %s::text FROM %s WHERE id::text = '%s'".formatted(column, table, id),
        value -> found[0] = value);
    return found[0];
  }

  /** The operator's view. */
  protected final OutboxAdmin admin() {
    return OutboxAdmin.of(relayConnections(), layout());
  }

  /** A claim of up to {@code size} events under a long lease. */
  protected static ClaimRequest upTo(int size) {
    return ClaimRequest.of(size, LEASE, MAX_ATTEMPTS);
  }

  /** A claim of up to {@code size} events under a lease that is over soon. */
  protected static ClaimRequest brieflyUpTo(int size) {
    return ClaimRequest.of(size, NO_TIME, MAX_ATTEMPTS);
  }

  /** Enqueues and commits each event in a transaction of its own; returns their ids. */
  protected final List<String> enqueue(Event... events) {
    List<String> ids = new ArrayList<>();
    for (Event event : events) {
      transaction(tx -> ids.add(outbox().enqueue(tx, event).id().toString()));
    }
    return ids;
  }

  /** Enqueues {@code count} events with this key. */
  protected final List<String> enqueue(String key, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.addAll(enqueue(event(key).json("{\"n\":" + i + "}").build()));
    }
    return ids;
  }

  /** A small event with this key. */
  protected final Event small(String key) {
    return event(key).json("{\"k\":\"v\"}").build();
  }

  /** The first claim that is not empty, which comes within moments. */
  protected static Claim claimSoon(OutboxStore store) {
    Claim[] claim = {Claim.EMPTY};
    awaitUntil(
        () -> {
          claim[0] = store.claim(upTo(10));
          return !claim[0].isEmpty();
        });
    return claim[0];
  }

  /** The ids of the events of a claim. */
  protected static List<String> ids(Claim claim) {
    return claim.events().stream().map(StoredEvent::id).toList();
  }

  /** The value of a row's column as text, or null. */
  protected final @Nullable String value(String id, Role role) {
    Layout in = layout().column(role).isPresent() ? layout() : settled();
    String sql =
        "SELECT %s::text FROM %s WHERE %s::text = ?"
            .formatted(in.sql(role), in.table().sql(), in.sql(Role.ID));
    try (Connection connection = dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, id);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new AssertionError("no row " + id);
        }
        return row.getString(1);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** What a row's columns hold but for those of its lifecycle. */
  protected final Map<Role, @Nullable String> content(String id) {
    Map<Role, @Nullable String> values = new TreeMap<>();
    for (Role role : layout().columns().keySet()) {
      if (!LIFECYCLE.contains(role)) {
        values.put(role, value(id, role));
      }
    }
    return values;
  }

  /** The number of rows that satisfy a condition. */
  protected final long count(String condition) {
    long[] result = new long[1];
    query(
        "SELECT count(*) FROM " + layout().table().sql() + " WHERE " + condition,
        value -> result[0] = Long.parseLong(value));
    return result[0];
  }

  /** The number of rows; of a log those not delivered, and those diverted. */
  protected final long rows() {
    return isLog() ? backlog("%") + diverted("true") : count("true");
  }

  private boolean isDiverted(String id) {
    return diverted("id = '" + id + "'") > 0;
  }

  private long diverted(String condition) {
    long[] result = new long[1];
    query(
        "SELECT count(*) FROM " + settled().table().sql() + " WHERE " + condition,
        value -> result[0] = Long.parseLong(value));
    return result[0];
  }

  /** The number of rows of a log behind which the cursor has not moved, with an id like this. */
  private long backlog(String id) {
    long[] result = new long[1];
    query(
        """
        SELECT count(*) FROM %s, %s_cursor c
        WHERE id::text LIKE '%s' AND NOT pg_visible_in_snapshot(xid, c.seen)
          AND (c.upto IS NULL OR seq > c.position OR NOT pg_visible_in_snapshot(xid, c.upto))"""
            .formatted(layout().table().sql(), layout().table(), id),
        value -> result[0] = Long.parseLong(value));
    return result[0];
  }
}
