package dev.postcommit.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** The tables of one layout, emptied and seen through a driver with one setting. */
final class DriverTable implements AutoCloseable {

  @FunctionalInterface
  interface InTransaction {
    void with(Connection tx) throws SQLException;
  }

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final int MAX_ATTEMPTS = 3;
  private static final int WORKERS = 4;
  private static final int BATCH = 3;

  private final LayoutSample sample;
  private final HikariDataSource dataSource;
  private final List<OutboxStore> stores = new ArrayList<>();

  DriverTable(PostgresDatabase database, LayoutSample sample, String setting) throws SQLException {
    this.sample = sample;
    TableShape.execute(
        database.dataSource(),
        """
        DO $$ DECLARE one text; BEGIN
          FOR one IN SELECT CAST(c.oid AS regclass) FROM pg_class c
            WHERE c.relnamespace = CAST('public' AS regnamespace) AND c.relkind IN ('r', 'p')
              AND NOT c.relispartition AND c.relname !~ 'cursor|flyway|pause|schema_history'
          LOOP EXECUTE 'TRUNCATE ' || one; END LOOP;
        END $$""");
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(database.jdbcUrl() + "?" + setting);
    pool.setUsername(database.username());
    pool.setMinimumIdle(0);
    dataSource = new HikariDataSource(pool);
  }

  Layout layout() {
    return sample.layout();
  }

  Outbox outbox() {
    return Outbox.builder(layout()).build();
  }

  OutboxAdmin admin() {
    return OutboxAdmin.of(dataSource, layout());
  }

  /** A store of a new worker. */
  OutboxStore store() {
    OutboxStore store = OutboxStore.of(dataSource, layout(), UUID.randomUUID());
    stores.add(store);
    return store;
  }

  Event.Builder event(String key) {
    return sample.event().apply(key);
  }

  Event small() {
    return event("small").json("1").build();
  }

  Event deduplicated(String dedupeKey) {
    UUID tenant = small().tenant();
    String prefix = tenant == null ? "" : tenant + "/";
    String key = dedupeKey.startsWith(prefix) ? dedupeKey : prefix + dedupeKey;
    return event("small").dedupeKey(key).json("1").build();
  }

  void transaction(InTransaction work) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      work.with(tx);
      tx.commit();
    }
  }

  /** Writes so many events, each two of one key; returns their ids. */
  List<String> write(int count) throws SQLException {
    List<Event> events =
        IntStream.range(0, count).mapToObj(i -> event("k" + i / 2).json("1").build()).toList();
    transaction(tx -> outbox().enqueueAll(tx, events));
    return events.stream().map(event -> event.id().toString()).toList();
  }

  /** Whether relays work side by side; else one of them works and the others stand by. */
  boolean isShared() {
    return !layout().isHeld() && !layout().isLog();
  }

  /**
   * What several workers get that claim together until there is nothing more. If they work side by
   * side it stays in flight, else it is delivered.
   */
  List<List<StoredEvent>> claimTogether() throws Exception {
    CyclicBarrier together = new CyclicBarrier(WORKERS);
    ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    AtomicInteger claimed = new AtomicInteger();
    try {
      List<Future<List<List<StoredEvent>>>> results = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        OutboxStore store = store();
        results.add(workers.submit(() -> claimTogether(store, claimed, together)));
      }
      List<List<StoredEvent>> taken = new ArrayList<>();
      for (Future<List<List<StoredEvent>>> result : results) {
        taken.addAll(result.get(10, TimeUnit.SECONDS));
      }
      return taken;
    } finally {
      workers.shutdownNow();
    }
  }

  private List<List<StoredEvent>> claimTogether(
      OutboxStore store, AtomicInteger claimed, CyclicBarrier together) throws Exception {
    List<List<StoredEvent>> taken = new ArrayList<>();
    int before;
    do {
      together.await();
      before = claimed.get();
      together.await();
      List<StoredEvent> events = isShared() ? claim(store, BATCH).events() : deliver(store, BATCH);
      claimed.addAndGet(events.size());
      taken.add(events);
      together.await();
    } while (claimed.get() > before);
    return taken;
  }

  Claim claim(OutboxStore store, int size) {
    ClaimRequest request = ClaimRequest.of(size, LEASE, MAX_ATTEMPTS);
    boolean isScoped = layout().column(Role.NAMESPACE).isPresent() && !layout().isLog();
    // A text among the parameters makes a difference to the driver.
    return store.claim(isScoped ? request.scopedTo(Event.DEFAULT_NAMESPACE, null) : request);
  }

  /** Delivers what is due; returns its ids. */
  List<String> deliver(OutboxStore store) {
    return ids(deliver(store, 10));
  }

  private List<StoredEvent> deliver(OutboxStore store, int size) {
    Claim claim = claim(store, size);
    store.settle(claim, ids(claim.events()).stream().map(Outcome.Delivered::new).toList());
    return claim.events();
  }

  static List<String> ids(List<StoredEvent> events) {
    return events.stream().map(StoredEvent::id).toList();
  }

  static void awaitUntil(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(1))
        .until(condition);
  }

  boolean isDone() {
    return admin().status().pending() == 0;
  }

  @Override
  public void close() {
    stores.forEach(OutboxStore::close);
    dataSource.close();
  }
}
