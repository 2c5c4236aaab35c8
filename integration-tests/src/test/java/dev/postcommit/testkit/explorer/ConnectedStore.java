package dev.postcommit.testkit.explorer;

import dev.postcommit.consumer.inbox.Begin;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Mark;
import dev.postcommit.consumer.inbox.StoreUnavailableException;
import dev.postcommit.testkit.explorer.inbox.InboxScenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that is connected whenever it is asked something. To connect takes a thread of its own,
 * which would go on with what the store was asked: then it were no step of the actor.
 */
final class ConnectedStore implements IdempotencyStore {
  private final IdempotencyStore store;

  ConnectedStore(IdempotencyStore store) {
    this.store = store;
    connect();
  }

  private void connect() {
    store.delete(InboxScenario.CONSUMER, GatedRedis.UNWATCHED);
  }

  private <T> T connected(Supplier<T> call) {
    try {
      return call.get();
    } catch (StoreUnavailableException e) {
      connect();
      throw e;
    }
  }

  @Override
  public List<Begin> begin(String consumer, List<String> eventIds) {
    return connected(() -> store.begin(consumer, eventIds));
  }

  @Override
  public CompletionStage<Boolean> complete(Mark mark) {
    CompletionStage<Boolean> answer = store.complete(mark);
    if (answer.toCompletableFuture().isCompletedExceptionally()) {
      connect();
    }
    return answer;
  }

  @Override
  public void abandon(List<Mark> marks) {
    connected(
        () -> {
          store.abandon(marks);
          return marks;
        });
  }

  @Override
  public Optional<Mark> markProcessed(String consumer, String eventId, Duration ttl) {
    return connected(() -> store.markProcessed(consumer, eventId, ttl));
  }

  @Override
  public void unmark(Mark mark) {
    connected(
        () -> {
          store.unmark(mark);
          return mark;
        });
  }

  @Override
  public boolean delete(String consumer, String eventId) {
    return connected(() -> store.delete(consumer, eventId));
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
  public void close() {
    store.close();
  }
}
