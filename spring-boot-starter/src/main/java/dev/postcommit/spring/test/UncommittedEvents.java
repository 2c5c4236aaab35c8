package dev.postcommit.spring.test;

import dev.postcommit.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The events that one transaction has written to a recording outbox. */
final class UncommittedEvents implements TransactionSynchronization {
  private final RecordingOutbox outbox;
  private final List<Event> events = new ArrayList<>();
  private final Map<Object, Integer> savepoints = new HashMap<>();

  private UncommittedEvents(RecordingOutbox outbox) {
    this.outbox = outbox;
  }

  /** Those of the current transaction. */
  static UncommittedEvents of(RecordingOutbox outbox) {
    if (TransactionSynchronizationManager.getResource(outbox) instanceof UncommittedEvents known) {
      return known;
    }
    UncommittedEvents events = new UncommittedEvents(outbox);
    TransactionSynchronizationManager.bindResource(outbox, events);
    TransactionSynchronizationManager.registerSynchronization(events);
    return events;
  }

  void add(Event event) {
    events.add(event);
  }

  List<Event> events() {
    return events;
  }

  @Override
  public void suspend() {
    TransactionSynchronizationManager.unbindResource(outbox);
  }

  @Override
  public void resume() {
    TransactionSynchronizationManager.bindResource(outbox, this);
  }

  @Override
  public void savepoint(Object savepoint) {
    savepoints.put(savepoint, events.size());
  }

  /** An unknown savepoint is older than the first event. */
  @Override
  public void savepointRollback(Object savepoint) {
    events.subList(savepoints.getOrDefault(savepoint, 0), events.size()).clear();
  }

  /** Runs before other listeners of the commit, so that they find the events. */
  @Override
  public void afterCommit() {
    outbox.commit(List.copyOf(events));
    events.clear();
  }

  @Override
  public void afterCompletion(int status) {
    TransactionSynchronizationManager.unbindResourceIfPossible(outbox);
  }
}
