package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.ProcessedEvent;
import dev.postcommit.consumer.inbox.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One transaction of a {@link TransactionalInbox}, and how far it got. */
final class BatchTransaction {
  private static final int VALIDATION_SECONDS = 2;
  private static final String SHORTEST_WAIT = "100ms";

  /** Ends a transaction in which a handler failed, whatever it threw. */
  private static final class HandlerFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    HandlerFailedException(Throwable cause) {
      super(cause);
    }
  }

  private final JdbcIdempotencyStore store;
  private final List<PendingEvent> batch;
  private final BatchRun run;
  private final boolean waits;
  private final List<PendingEvent> handled = new ArrayList<>();
  private final List<PendingEvent> duplicates = new ArrayList<>();
  private boolean marked;
  private boolean lost;
  private @Nullable PendingEvent failed;
  private @Nullable Throwable error;

  /**
   * A transaction that has not begun.
   *
   * @param waits whether it waits for other transactions that have marked one of the events
   */
  BatchTransaction(
      JdbcIdempotencyStore store, List<PendingEvent> batch, BatchRun run, boolean waits) {
    this.store = store;
    this.batch = batch;
    this.run = run;
    this.waits = waits;
  }

  /** Marks and handles the batch; returns what went wrong, if anything did. */
  @Nullable Throwable run(Transactions transactions) {
    try {
      transactions.run(this::work);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    } catch (Exception e) {
      return error == null ? e : error;
    }
  }

  private void work(Connection tx) throws Exception {
    List<ProcessedEvent> events = batch.stream().map(BatchTransaction::processed).toList();
    Set<String> fresh =
        waits ? store.markProcessed(tx, events) : markWithoutWaiting(store, tx, events);
    marked = true;
    Connection guarded = HandlerConnection.of(tx);
    List<String> unstarted = new ArrayList<>();
    for (PendingEvent event : batch) {
      if (!fresh.contains(event.id())) {
        duplicates.add(event);
      } else if (run.mayStart(event)) {
        call(event, guarded, tx);
        handled.add(event);
      } else {
        unstarted.add(event.id());
      }
    }
    if (!unstarted.isEmpty()) {
      store.unmark(tx, unstarted);
    }
    checkUsable(tx);
  }

  /** Marks events, and fails rather than wait for other transactions that have marked them. */
  static Set<String> markWithoutWaiting(
      JdbcIdempotencyStore store, Connection tx, List<ProcessedEvent> events) throws SQLException {
    String before = setLockTimeout(tx, SHORTEST_WAIT);
    Set<String> marked = store.markProcessed(tx, events);
    setLockTimeout(tx, before);
    return marked;
  }

  private static String setLockTimeout(Connection tx, String timeout) throws SQLException {
    try (PreparedStatement statement =
        tx.prepareStatement(
            "SELECT current_setting('lock_timeout'), set_config('lock_timeout', ?, true)")) {
      statement.setString(1, timeout);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /**
   * Fails if a handler has swallowed an error of the database. The commit would then roll back, and
   * the driver does not report that.
   */
  private static void checkUsable(Connection tx) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  private void call(PendingEvent event, Connection guarded, Connection tx)
      throws HandlerFailedException {
    error = run.call(event, guarded).orElse(null);
    if (error != null) {
      failed = event;
      lost = !isValid(tx);
      throw new HandlerFailedException(error);
    }
  }

  /** Gives the events their outcomes, after the transaction was committed. */
  void succeed() {
    duplicates.forEach(run::duplicate);
    handled.forEach(run::done);
  }

  /** Whether none of the events is at fault. */
  boolean isUnavailable(Throwable reason) {
    if (failed != null) {
      return false;
    }
    return marked ? DatabaseErrors.isConnection(reason) : !DatabaseErrors.isContention(reason);
  }

  /** Whether it looks like an outage, though the database has accepted the marks of the events. */
  boolean isSuspicious(Throwable reason) {
    return lost || DatabaseErrors.isOutage(reason);
  }

  /** The events whose handlers have succeeded. */
  List<PendingEvent> handled() {
    return handled;
  }

  /** The event whose handler threw, if one did. */
  @Nullable PendingEvent failed() {
    return failed;
  }

  private static boolean isValid(Connection tx) {
    try {
      return tx.isValid(VALIDATION_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  static ProcessedEvent processed(PendingEvent event) {
    return new ProcessedEvent(event.id(), event.event().type(), event.event().source());
  }
}
