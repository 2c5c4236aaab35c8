package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What the dead rows cost that nobody may clean up while a transaction is open: not time is
 * asserted but how many pages are read. {@code -Dhorizon.events=600000} makes it as many as in ten
 * minutes at 1,000 a second.
 */
abstract class HeldHorizon extends LayoutFixture {
  private static final int EVENTS = Integer.getInteger("horizon.events", 10_000);
  private static final int BATCH = 50;
  private static final int KEYS = 100;

  /** Several times as long as the pause between two looks at everything. */
  private static final Duration MEASURED = Duration.ofSeconds(1);

  HeldHorizon(LayoutSample sample) {
    super(sample);
  }

  @Test
  @DisplayName("what went through while a transaction was open costs later events nothing")
  void deadRowsCostLaterEventsNothing() throws SQLException {
    stopAutovacuum(); // it would read pages as well, and be taken for a claim
    OutboxStore store = OutboxStore.of(counted(dataSource()), layout(), UUID.randomUUID());
    try (Connection holder = holder()) {
      deliver(store, 500);
      Pages few = measure(store);
      deliver(store, EVENTS);
      // What was settled within moments may be looked at.
      awaitUntil(() -> pagesOfAnEvent(store) < 2 * few.most() + 200);
      Pages many = measure(store);
      holder.rollback();

      assertThat(mostCounts() ? many.most() : many.median())
          .as("few: %s, many: %s", few, many)
          .isLessThan(2 * few.most() + 200);
    } finally {
      store.close();
    }
  }

  /** A transaction that has written, and looks at the database as it is now. */
  private Connection holder() throws SQLException {
    Connection session =
        DriverManager.getConnection(database().jdbcUrl(), database().username(), "");
    session.setAutoCommit(false);
    session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = session.createStatement()) {
      statement.execute("SELECT pg_current_xact_id()");
    }
    return session;
  }

  private void deliver(OutboxStore store, int events) {
    for (int left = events; left > 0; left -= BATCH * 10) {
      write(BATCH * 10);
      for (int i = 0; i < 10; i++) {
        deliver(store);
      }
    }
    awaitUntil(() -> deliver(store) == 0);
  }

  private void write(int events) {
    List<Event> some = new ArrayList<>();
    for (int n = 0; n < events; n++) {
      some.add(small("k" + n % KEYS));
    }
    transaction(tx -> outbox().enqueueAll(tx, some));
  }

  private static int deliver(OutboxStore store) {
    Claim claim = store.claim(upTo(BATCH));
    if (claim.isEmpty()) {
      return 0;
    }
    store.renew(claim, LEASE);
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    return claim.events().size();
  }

  /** Whether no event at all may cost more; or, now and then, one that has a claim look at all. */
  boolean mostCounts() {
    return true;
  }

  /** Pages read for an event. */
  private record Pages(double mean, long median, long most) {}

  private Pages measure(OutboxStore store) {
    long until = System.nanoTime() + MEASURED.toNanos();
    List<Long> pages = new ArrayList<>();
    while (System.nanoTime() < until || pages.isEmpty()) {
      pages.add(pagesOfAnEvent(store));
    }
    Collections.sort(pages);
    return new Pages(
        pages.stream().mapToLong(Long::longValue).average().orElseThrow(),
        pages.get(pages.size() / 2),
        pages.get(pages.size() - 1));
  }

  private long pagesOfAnEvent(OutboxStore store) {
    long before = pages();
    write(1);
    awaitUntil(() -> deliver(store) == 1);
    return pages() - before;
  }

  /** Pages of tables and indexes that were read, or found in memory. */
  private long pages() {
    long[] pages = new long[1];
    query(
        """
        SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)
          + coalesce(toast_blks_read + toast_blks_hit, 0)
          + coalesce(tidx_blks_read + tidx_blks_hit, 0))
        FROM pg_statio_user_tables""",
        sum -> pages[0] = Long.parseLong(sum));
    return pages[0];
  }

  /** Like {@code target}, with what a connection did told to others when it is given back. */
  private static DataSource counted(DataSource target) {
    return JdbcProxy.of(
        DataSource.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(target, method, arguments);
          return result instanceof Connection connection ? counted(connection) : result;
        });
  }

  private static Connection counted(Connection target) {
    return JdbcProxy.of(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("close")) {
            try (Statement statement = target.createStatement()) {
              statement.execute("SELECT pg_stat_force_next_flush()");
            }
          }
          return JdbcProxy.call(target, method, arguments);
        });
  }
}
