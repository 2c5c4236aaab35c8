package dev.postcommit.consumer;

import org.jspecify.annotations.Nullable;

/** An inbox that remembers events in a store, and can serve whom the store can. */
abstract class StoreInbox extends Inbox {
  private final IdempotencyStore store;

  StoreInbox(IdempotencyStore store) {
    this.store = store;
  }

  @Override
  final void check(String consumer) {
    store.check(consumer);
  }

  @Override
  final @Nullable String problem(String eventId) {
    return store.problem(eventId);
  }

  @Override
  final long prune() {
    return store.prune();
  }
}
