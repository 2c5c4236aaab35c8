package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.PostcommitException;
import dev.postcommit.fixture.Sql;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Marks in the transactions of handlers. */
class JdbcStoreIT {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();
  private final Transactions transactions = Transactions.of(dataSource);
  private final JdbcIdempotencyStore store = store("inventory");
  private final String id = UUID.randomUUID().toString();

  @BeforeEach
  void migrate() {
    InboxMigration.migrate(dataSource, TableName.of("processed_events"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private JdbcIdempotencyStore store(String consumer) {
    return JdbcIdempotencyStore.builder(dataSource, consumer).build();
  }

  private static List<ProcessedEvent> events(String... ids) {
    return List.of(ids).stream().map(id -> new ProcessedEvent(id, null, null)).toList();
  }

  private Set<String> mark(String... ids) throws Exception {
    List<Set<String>> marked = new ArrayList<>();
    transactions.run(tx -> marked.add(store.markProcessed(tx, events(ids))));
    return marked.get(0);
  }

  private Connection begin() throws SQLException {
    Connection tx = dataSource.getConnection();
    tx.setAutoCommit(false);
    return tx;
  }

  private void awaitWaiting() {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !Sql.list(dataSource, "SELECT pid FROM pg_locks WHERE NOT granted").isEmpty());
  }

  @Test
  @DisplayName("R43: a mark is new once, tells type and source, and stays if its transaction does")
  void aMarkIsNewOnce() throws Exception {
    String other = UUID.randomUUID().toString();
    transactions.run(
        tx ->
            assertThat(
                    store.markProcessed(
                        tx,
                        List.of(
                            new ProcessedEvent(id, "order.placed", "order-service"),
                            new ProcessedEvent(other, null, null))))
                .containsExactlyInAnyOrder(id, other));

    assertThat(mark(id, other)).isEmpty();
    assertThat(mark()).isEmpty();
    assertThat(
            Sql.list(
                dataSource,
                "SELECT concat_ws(' ', event_id, event_type, source, processed_at <= now())"
                    + " FROM processed_events ORDER BY event_type NULLS LAST"))
        .containsExactly(id + " order.placed order-service t", other + " t");
  }

  @Test
  @DisplayName("R43: a mark goes with its transaction, or when it is taken back in it")
  void aMarkGoesWithItsTransaction() throws Exception {
    String kept = UUID.randomUUID().toString();
    try (Connection tx = begin()) {
      assertThat(store.markProcessed(tx, events(id))).containsExactly(id);
      tx.rollback();
      assertThat(store.markProcessed(tx, events(id, kept))).containsExactlyInAnyOrder(id, kept);
      store.unmark(tx, List.of(id));
      store.unmark(tx, List.of());
      tx.commit();
    }

    assertThat(mark(id, kept)).containsExactly(id);
  }

  @Test
  @DisplayName("R43: ids come back as they were given, and are the same in either case")
  void idsComeBackAsTheyWereGiven() throws Exception {
    String upper = id.toUpperCase(Locale.ROOT);

    assertThat(mark(upper, id)).containsExactly(upper);
    assertThat(mark(id)).isEmpty();
  }

  @Test
  @DisplayName("R44: who finds an event in another's open transaction waits and learns the outcome")
  void theSecondWaitsForTheFirst() throws Exception {
    String rolledBack = UUID.randomUUID().toString();
    try (Connection first = begin();
        Connection other = begin()) {
      store.markProcessed(first, events(id));
      store.markProcessed(other, events(rolledBack));
      CompletableFuture<Set<String>> second = CompletableFuture.supplyAsync(() -> quietly(id));
      awaitWaiting();
      assertThat(second).isNotDone();
      first.commit();
      assertThat(second.join()).isEmpty();

      CompletableFuture<Set<String>> third =
          CompletableFuture.supplyAsync(() -> quietly(rolledBack));
      awaitWaiting();
      other.rollback();
      assertThat(third.join()).containsExactly(rolledBack);
    }
  }

  private Set<String> quietly(String... ids) {
    try {
      return mark(ids);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("R44: who would wait too long for another transaction is told")
  void whoWouldWaitTooLongIsTold() throws Exception {
    try (Connection stuck = begin();
        Connection tx = begin()) {
      store.markProcessed(stuck, events(id));
      long begin = System.nanoTime();

      assertThatThrownBy(() -> store.markProcessed(tx, events(id)))
          .isInstanceOf(EventInProgressException.class)
          .hasMessageContaining(id)
          .hasMessageContaining("processed_events");

      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(9));
      tx.rollback();
      stuck.rollback();
      assertThat(store.markProcessed(tx, events(id))).containsExactly(id);
    }
  }

  @Test
  @DisplayName("R44: batches of the same events in any order neither deadlock nor handle one twice")
  void batchesInAnyOrderDoNotDeadlock() throws Exception {
    List<String> ids = IntStream.range(0, 400).mapToObj(i -> UUID.randomUUID().toString()).toList();
    AtomicInteger marked = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        results.add(
            threads.submit(
                () -> {
                  List<String> mine = new ArrayList<>(ids);
                  Collections.shuffle(mine);
                  for (int from = 0; from < mine.size(); from += 100) {
                    String[] batch = mine.subList(from, from + 100).toArray(String[]::new);
                    marked.addAndGet(mark(batch).size());
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(marked).hasValue(ids.size());
  }

  @Test
  @DisplayName("R44: a table that is another consumer's is refused")
  void aTableOfAnotherConsumerIsRefused() throws Exception {
    try (Connection tx = begin()) {
      store.markProcessed(tx, events(id));
      tx.rollback();
    }
    assertThat(store("payment").problem(id)).as("nobody's until a commit").isNull();

    assertThatThrownBy(() -> mark(id))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("belongs to consumer 'payment'")
        .hasMessageContaining("a table of its own");
    assertThatThrownBy(() -> store.begin("inventory", id))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("'payment'");
    assertThatThrownBy(() -> store("payment").begin("inventory", id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a table of its own");
  }

  @Test
  @DisplayName("R43: an id that does not fit is refused before it spoils the transaction")
  void wrongIdsAreRefused() throws Exception {
    assertThat(store.problem("order-1")).contains("'order-1'").contains("uuid");
    try (Connection tx = begin()) {
      assertThatThrownBy(() -> store.markProcessed(tx, events(id, "order-1")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("order-1");
      assertThat(store.markProcessed(tx, events(id))).containsExactly(id);
      tx.commit();
    }
  }

  @Test
  @DisplayName("R14: pruning removes what is older than the time to live, in small transactions")
  void pruningIsBounded() throws Exception {
    Sql.execute(
        dataSource,
        """
        INSERT INTO processed_events (event_id, processed_at)
        SELECT gen_random_uuid(), now() - interval '30 days 1 minute'
        FROM generate_series(1, 2500)""",
        """
        INSERT INTO processed_events (event_id, processed_at)
        SELECT gen_random_uuid(), now() - interval '29 days 23 hours'
        FROM generate_series(1, 100)""",
        "INSERT INTO processed_events_claim VALUES ('dead', gen_random_uuid(), now())",
        """
        INSERT INTO processed_events_claim
        VALUES ('alive', gen_random_uuid(), now() + interval '1 minute')""",
        "CREATE TABLE deletions (rows bigint, tx xid8 PRIMARY KEY DEFAULT pg_current_xact_id())",
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO deletions (rows) SELECT count(*) FROM gone;
          RETURN NULL;
        END $$""",
        """
        CREATE TRIGGER note AFTER DELETE ON processed_events REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note()""");

    assertThat(store.prune()).isEqualTo(2_500);
    assertThat(store.prune()).isZero();

    assertThat(Sql.list(dataSource, "SELECT rows FROM deletions WHERE rows > 0 ORDER BY tx"))
        .containsExactly("1000", "1000", "500");
    assertThat(Sql.list(dataSource, "SELECT count(*) FROM processed_events"))
        .containsExactly("100");
    assertThat(Sql.list(dataSource, "SELECT event_id FROM processed_events_claim"))
        .containsExactly("alive");
  }

  @Test
  void aTableThatHasGoneIsAProblem() throws SQLException {
    assertThat(store.tableProblem()).isEmpty();
    assertThat(store.tableProblem()).isEmpty();

    Sql.execute(dataSource, "DROP TABLE processed_events");
    assertThat(store.tableProblem())
        .contains("table processed_events is missing; run InboxMigration.migrate");
  }
}
