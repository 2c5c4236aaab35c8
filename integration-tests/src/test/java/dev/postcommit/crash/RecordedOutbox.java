package dev.postcommit.crash;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.ledger.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** Writes transactions through database crashes, and tells a ledger what became of each. */
final class RecordedOutbox {
  private final Map<String, Long> positions = new HashMap<>();
  private final Layout layout;
  private final Outbox outbox;
  private final DataSource dataSource;
  private final Ledger ledger;

  RecordedOutbox(Layout layout, DataSource dataSource, Ledger ledger) {
    this.layout = layout;
    this.outbox = Outbox.builder(layout).build();
    this.dataSource = dataSource;
    this.ledger = ledger;
  }

  /** Writes events in one transaction, which stays open for a while before it ends. */
  void write(List<Event> batch, boolean rollBack, Runnable openFor) {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      outbox.enqueueAll(tx, batch);
      openFor.run();
      if (rollBack) {
        tx.rollback();
        rolledBack(batch);
        return;
      }
      tx.commit();
      batch.forEach(this::committed);
    } catch (SQLException | PostcommitException e) {
      resolve(batch);
    }
  }

  private void committed(Event event) {
    String key = String.valueOf(event.key() == null ? event.tenant() : event.key());
    ledger.committed(event.id().toString(), key, positions.merge(key, 1L, Long::sum));
  }

  private void rolledBack(List<Event> batch) {
    batch.forEach(event -> ledger.rolledBack(event.id().toString()));
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
      rolledBack(batch);
    }
  }

  private boolean exists(Event event) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT 1 FROM " + layout.table().sql() + " WHERE id = ?")) {
      statement.setObject(1, event.id());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }
}
