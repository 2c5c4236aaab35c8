package dev.postcommit.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Marks each event, then handles it, and takes the mark back if that fails. */
final class MarkingFirstInbox extends StoreInbox {
  private final IdempotencyStore store;
  private final Duration ttl;
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  MarkingFirstInbox(IdempotencyStore store, Duration ttl) {
    super(store);
    this.store = store;
    this.ttl = ttl;
  }

  @Override
  void handle(List<Task> tasks, Round round) {
    try {
      for (Task task : tasks) {
        if (round.mayStart(task)) {
          handle(task, round);
          round.available();
        }
      }
    } catch (StoreUnavailableException e) {
      round.unavailable(tasks, Verdicts.text(e));
    }
  }

  private void handle(Task task, Round round) {
    takeBack(task, round);
    if (store.checkAndMarkProcessed(round.consumer(), task.id(), ttl)) {
      round.duplicate(task);
      return;
    }
    Optional<Throwable> error = round.call(task, null);
    if (error.isEmpty()) {
      round.done(task);
    } else {
      failed.add(task.id());
      takeBack(task, round);
      round.failed(task, error.get());
    }
  }

  /** Until the mark of a failed event is gone, the event would be taken for a duplicate. */
  private void takeBack(Task task, Round round) {
    if (failed.contains(task.id())) {
      store.delete(round.consumer(), task.id());
      failed.remove(task.id());
    }
  }
}
