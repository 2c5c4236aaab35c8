package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Inbox;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs handlers so that no event is handled twice, in the way that an {@link Inbox} names. */
abstract class InboxStrategy {
  private final @Nullable IdempotencyStore store;

  InboxStrategy(@Nullable IdempotencyStore store) {
    this.store = store;
  }

  static InboxStrategy of(Inbox inbox) {
    if (inbox instanceof Inbox.Transactional chosen) {
      return new TransactionalInbox(chosen.store(), chosen.transactions());
    } else if (inbox instanceof Inbox.Marking chosen) {
      return new MarkingInbox(chosen.store());
    } else if (inbox instanceof Inbox.MarkingFirst chosen) {
      return new MarkingFirstInbox(chosen.store(), chosen.ttl());
    }
    return new NoInbox();
  }

  /** Handles events with different ids; those without an outcome afterwards were not started. */
  abstract void handle(List<PendingEvent> events, BatchRun run);

  /**
   * Checks that the store can serve a consumer.
   *
   * @throws IllegalArgumentException saying why it cannot
   */
  final void check(String consumer) {
    if (store != null) {
      store.check(consumer);
    }
  }

  /** Why no event with such an id can be remembered, or null if it can. */
  final @Nullable String problem(String eventId) {
    return store == null ? null : store.problem(eventId);
  }

  final long prune() {
    return store == null ? 0 : store.prune();
  }

  /** Handles every event that arrives. */
  private static final class NoInbox extends InboxStrategy {
    NoInbox() {
      super(null);
    }

    @Override
    void handle(List<PendingEvent> events, BatchRun run) {
      for (PendingEvent event : events) {
        if (run.mayStart(event)) {
          run.call(event, null)
              .ifPresentOrElse(error -> run.failed(event, error), () -> run.done(event));
        }
      }
    }
  }
}
