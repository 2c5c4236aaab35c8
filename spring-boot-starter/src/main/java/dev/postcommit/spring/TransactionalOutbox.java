package dev.postcommit.spring;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.spring.internal.CommitWatch;
import dev.postcommit.spring.internal.CurrentTransaction;
import java.sql.Connection;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/** The outbox on a real table. */
final class TransactionalOutbox implements SpringOutbox {
  private final DataSource dataSource;
  private final Outbox outbox;
  private final Runnable afterCommit;
  private final CurrentTransaction transaction;

  /**
   * An outbox in the transactions of a data source.
   *
   * @param afterCommit is run after each transaction that wrote events
   */
  TransactionalOutbox(DataSource dataSource, Outbox outbox, Runnable afterCommit) {
    this.dataSource = CurrentTransaction.target(dataSource);
    this.outbox = outbox;
    this.afterCommit = afterCommit;
    this.transaction = CurrentTransaction.of(dataSource);
  }

  @Override
  public Enqueued enqueue(Event event) {
    return write(tx -> outbox.enqueue(tx, event));
  }

  @Override
  public List<Enqueued> enqueueAll(List<Event> events) {
    return write(tx -> outbox.enqueueAll(tx, events));
  }

  private <T> T write(Function<Connection, T> work) {
    CommitWatch watch = transaction.require();
    T result = transaction.join(dataSource, work);
    watch.afterCommit(afterCommit);
    return result;
  }
}
