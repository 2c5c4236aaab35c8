package dev.postcommit.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Marks each event, then handles it, and takes the mark back if that fails. */
final class MarkingFirstInbox extends StoreInbox {
  private final IdempotencyStore store;
  private final Duration ttl;
  private final Map<String, Mark> failed = new ConcurrentHashMap<>();

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
    takeBack(task);
    Optional<Mark> mark = store.markProcessed(round.consumer(), task.id(), ttl);
    if (mark.isEmpty()) {
      round.duplicate(task);
      return;
    }
    Optional<Throwable> error = round.call(task, null);
    if (error.isEmpty()) {
      round.done(task);
    } else {
      failed.put(task.id(), mark.get());
      takeBack(task);
      round.failed(task, error.get());
    }
  }

  /** Until the mark of a failed event is gone, the event would be taken for a duplicate. */
  private void takeBack(Task task) {
    @Nullable Mark mark = failed.get(task.id());
    if (mark != null) {
      store.unmark(mark);
      failed.remove(task.id());
    }
  }
}
