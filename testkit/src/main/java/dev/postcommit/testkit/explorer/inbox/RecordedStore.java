package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.consumer.inbox.Begin;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Mark;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A consumer's store, with what it says written down. */
final class RecordedStore implements IdempotencyStore {
  private final Stage.Role self;
  private final IdempotencyStore store;
  private final InboxHistory history;

  RecordedStore(Stage.Role self, IdempotencyStore store, InboxHistory history) {
    this.self = self;
    this.store = store;
    this.history = history;
  }

  @Override
  public List<Begin> begin(String consumer, List<String> eventIds) {
    AtomicInteger since = new AtomicInteger(history.time());
    self.atNextStep(() -> since.set(history.time()));
    List<Begin> begins = store.begin(consumer, eventIds);
    for (Begin begin : begins) {
      if (begin instanceof Begin.Proceed proceed) {
        history.proceeds(self.name(), proceed.mark(), since.get());
      }
    }
    return begins;
  }

  @Override
  public CompletionStage<Boolean> complete(Mark mark) {
    return store
        .complete(mark)
        .thenApply(
            isOurs -> {
              if (isOurs) {
                history.completed(self.name(), mark);
              }
              return isOurs;
            });
  }

  @Override
  public void abandon(List<Mark> marks) {
    self.atNextStep(() -> marks.forEach(history::abandons));
    store.abandon(marks);
  }

  @Override
  public Optional<Mark> markProcessed(String consumer, String eventId, Duration ttl) {
    return store.markProcessed(consumer, eventId, ttl);
  }

  @Override
  public void unmark(Mark mark) {
    store.unmark(mark);
  }

  @Override
  public boolean delete(String consumer, String eventId) {
    return store.delete(consumer, eventId);
  }

  @Override
  public Duration inProgressTime() {
    return store.inProgressTime();
  }

  @Override
  public void check(String consumer) {
    store.check(consumer);
  }

  @Override
  public @Nullable String problem(String eventId) {
    return store.problem(eventId);
  }

  @Override
  public long prune() {
    return store.prune();
  }

  @Override
  public void close() {
    store.close();
  }
}
