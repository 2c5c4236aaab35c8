package dev.postcommit.consumer;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One transaction of a {@link TransactionalInbox}, and how far it got. */
final class Pass {
  private static final int PATIENCE_SECONDS = 2;

  /** Ends a transaction in which a handler failed, whatever it threw. */
  private static final class HandlerFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    HandlerFailedException(Throwable cause) {
      super(cause);
    }
  }

  private final JdbcIdempotencyStore store;
  private final List<Task> batch;
  private final Round round;
  private final boolean patient;
  private final List<Task> handled = new ArrayList<>();
  private final List<Task> duplicates = new ArrayList<>();
  private boolean marked;
  private boolean lost;
  private @Nullable Task failed;
  private @Nullable Throwable error;

  /**
   * A pass over a batch.
   *
   * @param patient whether it waits for other transactions that have marked one of the events
   */
  Pass(JdbcIdempotencyStore store, List<Task> batch, Round round, boolean patient) {
    this.store = store;
    this.batch = batch;
    this.round = round;
    this.patient = patient;
  }

  /** Marks and handles the batch in a transaction; returns what went wrong, if anything did. */
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
    List<ProcessedEvent> events = batch.stream().map(Pass::processed).toList();
    Set<String> fresh =
        patient ? store.markProcessed(tx, events) : store.markProcessedAtOnce(tx, events);
    marked = true;
    Connection guarded = HandlersConnection.of(tx);
    List<String> unstarted = new ArrayList<>();
    for (Task task : batch) {
      if (!fresh.contains(task.id())) {
        duplicates.add(task);
      } else if (round.mayStart(task)) {
        call(task, guarded, tx);
        handled.add(task);
      } else {
        unstarted.add(task.id());
      }
    }
    if (!unstarted.isEmpty()) {
      store.unmark(tx, unstarted);
    }
    checkAlive(tx);
  }

  /**
   * Fails if a handler has swallowed an error of the database: then to commit would be to roll
   * back, which the driver does not tell.
   */
  private static void checkAlive(Connection tx) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  private void call(Task task, Connection guarded, Connection tx) throws HandlerFailedException {
    error = round.call(task, guarded).orElse(null);
    if (error != null) {
      failed = task;
      lost = !isValid(tx);
      throw new HandlerFailedException(error);
    }
  }

  /** Says what became of the events, after the transaction was committed. */
  void succeed() {
    duplicates.forEach(round::duplicate);
    handled.forEach(round::done);
  }

  /** Whether none of the events is at fault. */
  boolean isUnavailable(Throwable reason) {
    if (failed != null) {
      return false;
    }
    return marked ? DatabaseErrors.isConnection(reason) : !DatabaseErrors.isContention(reason);
  }

  /** Whether it looks like an outage, though the database has taken the marks of the events. */
  boolean isSuspicious(Throwable reason) {
    return lost || DatabaseErrors.isOutage(reason);
  }

  /** The events whose handlers have run. */
  List<Task> handled() {
    return handled;
  }

  /** The event whose handler threw, if one did. */
  @Nullable Task failed() {
    return failed;
  }

  private static boolean isValid(Connection tx) {
    try {
      return tx.isValid(PATIENCE_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  static ProcessedEvent processed(Task task) {
    return new ProcessedEvent(task.id(), task.event().type(), task.event().source());
  }
}
