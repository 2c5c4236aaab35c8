package dev.postcommit.crash;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/**
 * Writes transactions of one to four events of keys of its own, some slow and one in ten rolled
 * back, through crashes of the database.
 */
final class OnceWriter implements Runnable {
  private static final int KEYS = 20;

  private final Map<String, Long> positions = new HashMap<>();
  private final Outbox outbox = Outbox.builder(Layout.log()).build();
  private final String topic;
  private final String name;
  private final int events;
  private final DataSource dataSource;
  private final Ledger ledger;
  private final Random random;
  private final Duration pace;

  OnceWriter(
      String topic,
      String name,
      int events,
      Duration pace,
      DataSource dataSource,
      Ledger ledger,
      Random random) {
    this.topic = topic;
    this.name = name;
    this.events = events;
    this.pace = pace;
    this.dataSource = dataSource;
    this.ledger = ledger;
    this.random = random;
  }

  @Override
  public void run() {
    for (int written = 0; written < events; ) {
      List<Event> batch = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        String key = name + "-" + random.nextInt(KEYS);
        String pad = "x".repeat(random.nextInt(300));
        batch.add(Event.builder(topic).key(key).json("{\"pad\":\"" + pad + "\"}").build());
      }
      written += batch.size();
      transaction(batch, random.nextInt(10) == 0);
      LockSupport.parkNanos(pace.toNanos());
    }
  }

  private void transaction(List<Event> batch, boolean rollBack) {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      outbox.enqueueAll(tx, batch);
      if (random.nextInt(20) == 0) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(60)).toNanos());
      }
      if (rollBack) {
        tx.rollback();
        batch.forEach(event -> ledger.rolledBack(event.id().toString()));
        return;
      }
      tx.commit();
      batch.forEach(this::committed);
    } catch (SQLException | PostcommitException e) {
      resolve(batch);
    }
  }

  private void committed(Event event) {
    String key = String.valueOf(event.key());
    ledger.committed(event.id().toString(), key, positions.merge(key, 1L, Long::sum));
  }

  /** Finds out what became of a transaction whose end was not heard of. */
  private void resolve(List<Event> batch) {
    boolean[] exists = new boolean[1];
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptions()
        .until(
            () -> {
              exists[0] = exists(batch.get(0));
              return true;
            });
    if (exists[0]) {
      batch.forEach(this::committed);
    } else {
      batch.forEach(event -> ledger.rolledBack(event.id().toString()));
    }
  }

  private boolean exists(Event event) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT FROM postcommit_log WHERE id = ?")) {
      statement.setObject(1, event.id());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }
}
