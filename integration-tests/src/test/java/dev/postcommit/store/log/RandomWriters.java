package dev.postcommit.store.log;

import dev.postcommit.Event;
import dev.postcommit.testkit.ledger.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writers of events for shared keys: a row of each key is locked first, so that the events of a key
 * have an order, and its version is their place in it.
 */
final class RandomWriters implements AutoCloseable {
  private static final int WRITERS = 40;
  private static final int TRANSACTIONS = 12;
  private static final int KEYS = 25;

  private static final String NEXT =
      """
      INSERT INTO accounts AS a VALUES (?, 1)
      ON CONFLICT (key) DO UPDATE SET version = a.version + 1 RETURNING version""";

  private final LogTable log;
  private final Ledger ledger;
  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
  private final List<Future<?>> writers = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  RandomWriters(LogTable log, Ledger ledger, long seed) {
    this.log = log;
    this.ledger = ledger;
    for (int i = 0; i < WRITERS; i++) {
      Random random = new Random(seed + i);
      writers.add(
          threads.submit(
              () -> {
                write(random);
                return null;
              }));
    }
  }

  private void write(Random random) throws SQLException, InterruptedException {
    try (Session session = log.session()) {
      for (int i = 0; i < TRANSACTIONS && closed.getCount() > 0; i++) {
        transaction(session, random);
      }
    }
  }

  private void transaction(Session session, Random random)
      throws SQLException, InterruptedException {
    Map<Event, Long> written = new LinkedHashMap<>();
    List<Event> free = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      free.add(write(session, LogTable.event(null)));
    }
    if (random.nextInt(4) == 0) {
      // A key that nobody locks has no order, but its events must come.
      free.add(write(session, LogTable.event("free")));
      pause(random, 30);
    }
    for (String key : keys(random)) {
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        long place = next(session.connection(), key);
        written.put(write(session, LogTable.event(key)), place);
      }
      pause(random, 4);
    }
    pause(random, random.nextInt(20) == 0 ? 300 : 10);
    boolean commits = random.nextInt(8) > 0;
    if (commits) {
      session.commit();
    } else {
      session.rollback();
    }
    written.forEach((event, place) -> tell(event, commits, event.key(), place));
    free.forEach(event -> tell(event, commits, event.key(), 0));
  }

  private static Event write(Session session, Event event) {
    session.write(event);
    return event;
  }

  private void tell(Event event, boolean committed, @Nullable String key, long place) {
    if (committed) {
      ledger.committed(event.id().toString(), key, place);
    } else {
      ledger.rolledBack(event.id().toString());
    }
  }

  /** Some keys, in an order in which no two writers can lock each other out. */
  private static Set<String> keys(Random random) {
    Set<String> keys = new TreeSet<>();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      keys.add("key-" + random.nextInt(KEYS));
    }
    return keys;
  }

  private static long next(Connection connection, String key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NEXT)) {
      statement.setString(1, key);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Leaves the transaction open for up to so long. */
  private void pause(Random random, int millis) throws InterruptedException {
    if (random.nextBoolean()) {
      closed.await(random.nextInt(millis), TimeUnit.MILLISECONDS);
    }
  }

  boolean areDone() {
    return writers.stream().allMatch(Future::isDone);
  }

  /** Returns when some more may have been written. */
  void awaitMore() throws InterruptedException {
    closed.await(150, TimeUnit.MILLISECONDS);
  }

  /** Fails if a writer did. */
  void check() throws Exception {
    for (Future<?> writer : writers) {
      writer.get();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    threads.shutdownNow();
  }
}
