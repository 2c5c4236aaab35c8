package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Mark;
import dev.postcommit.consumer.inbox.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Marks each event, then handles it, and deletes the mark if the handler fails. */
final class MarkingFirstInbox extends InboxStrategy {
  private final IdempotencyStore store;
  private final Duration ttl;
  private final Map<String, Mark> failed = new ConcurrentHashMap<>();

  MarkingFirstInbox(IdempotencyStore store, Duration ttl) {
    super(store);
    this.store = store;
    this.ttl = ttl;
  }

  @Override
  void handle(List<PendingEvent> events, BatchRun run) {
    try {
      for (PendingEvent event : events) {
        if (run.mayStart(event)) {
          handle(event, run);
          run.available();
        }
      }
    } catch (StoreUnavailableException e) {
      run.unavailable(events, OutcomeMapping.text(e));
    }
  }

  private void handle(PendingEvent event, BatchRun run) {
    unmark(event);
    Optional<Mark> mark = store.markProcessed(run.consumer(), event.id(), ttl);
    if (mark.isEmpty()) {
      run.duplicate(event);
      return;
    }
    Optional<Throwable> error = run.call(event, null);
    if (error.isEmpty()) {
      run.done(event);
    } else {
      failed.put(event.id(), mark.get());
      unmark(event);
      run.failed(event, error.get());
    }
  }

  /** As long as a failed event has its mark, it would be taken for a duplicate. */
  private void unmark(PendingEvent event) {
    @Nullable Mark mark = failed.get(event.id());
    if (mark != null) {
      store.unmark(mark);
      failed.remove(event.id());
    }
  }
}
