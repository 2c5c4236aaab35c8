package dev.postcommit.inbox;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers handled events in Redis, for any number of consumers.
 *
 * <pre>{@code
 * IdempotencyStore store =
 *     RedisIdempotencyStore.builder(RedisClient.create("redis://localhost")).build();
 * }</pre>
 *
 * <p>The mark of an event is the key {@code <prefix>:<consumer>:<event_id>}. Its value is {@code
 * in-progress:<token>} while the event is handled; any other value says that it was processed, so
 * marks that other programs set are understood. Redis forgets both by itself. It says true to a
 * {@link #complete} that is repeated.
 *
 * <p>What was not answered in time may have been executed, or may be yet: an event may then be in
 * progress for nobody, until its in-progress time is over. Marks are as durable as Redis is
 * configured to be, and a failover to a replica can lose the latest.
 */
public final class RedisIdempotencyStore implements IdempotencyStore {
  private static final String IN_PROGRESS = "in-progress:";
  private static final String PROCESSED = "processed:";
  private static final String OK = "OK";

  private final RedisLink link;
  private final String prefix;
  private final Duration ttl;
  private final Duration inProgressTime;
  private final Duration timeout;

  private RedisIdempotencyStore(Builder builder) {
    this.link = new RedisLink(builder.client, builder.timeout);
    this.prefix = builder.prefix;
    this.ttl = builder.ttl;
    this.inProgressTime = builder.inProgressTime;
    this.timeout = builder.timeout;
  }

  /**
   * A builder of a store.
   *
   * @param client knows where Redis is; it stays the caller's to shut down
   */
  public static Builder builder(RedisClient client) {
    return new Builder(client);
  }

  @Override
  public List<Begin> begin(String consumer, List<String> eventIds) {
    check(consumer, eventIds);
    String token = UUID.randomUUID().toString();
    List<Mark> marks = eventIds.stream().map(id -> new Mark(consumer, id, token)).toList();
    try {
      return await("begin events of " + consumer, redis -> begin(redis, marks));
    } catch (StoreUnavailableException e) {
      // Some may have begun all the same.
      var unused = link.send(redis -> abandon(redis, marks));
      throw e;
    }
  }

  private CompletionStage<List<Begin>> begin(
      RedisAsyncCommands<String, String> redis, List<Mark> marks) {
    SetArgs unlessThere = SetArgs.Builder.nx().px(inProgressTime);
    return all(marks, mark -> redis.set(key(mark), IN_PROGRESS + mark.token(), unlessThere))
        .thenCompose(set -> answers(redis, marks, set));
  }

  private CompletionStage<List<Begin>> answers(
      RedisAsyncCommands<String, String> redis, List<Mark> marks, List<@Nullable String> set) {
    List<Mark> others = new ArrayList<>();
    for (int i = 0; i < marks.size(); i++) {
      if (!OK.equals(set.get(i))) {
        others.add(marks.get(i));
      }
    }
    return all(others, mark -> redis.get(key(mark)))
        .thenApply(
            values -> {
              List<Begin> answers = new ArrayList<>(marks.size());
              int other = 0;
              for (int i = 0; i < marks.size(); i++) {
                answers.add(
                    OK.equals(set.get(i))
                        ? new Begin.Proceed(marks.get(i))
                        : known(values.get(other++)));
              }
              return answers;
            });
  }

  /** A mark that has gone since it was in the way was in progress a moment ago. */
  private static Begin known(@Nullable String value) {
    return value == null || value.startsWith(IN_PROGRESS) ? Begin.IN_PROGRESS : Begin.DUPLICATE;
  }

  @Override
  public CompletionStage<Boolean> complete(Mark mark) {
    check(mark.consumer(), List.of(mark.eventId()));
    String key = key(mark);
    String seconds = Long.toString(seconds(ttl));
    return link.send(
            redis ->
                RedisScript.COMPLETE.run(
                    redis, key, IN_PROGRESS + mark.token(), PROCESSED + mark.token(), seconds))
        .exceptionallyCompose(
            failure -> CompletableFuture.failedStage(unavailable("complete " + key, failure)));
  }

  @Override
  public void abandon(List<Mark> marks) {
    marks.forEach(mark -> check(mark.consumer(), List.of(mark.eventId())));
    if (!marks.isEmpty()) {
      await("abandon events of " + marks.get(0).consumer(), redis -> abandon(redis, marks));
    }
  }

  private CompletionStage<List<@Nullable Boolean>> abandon(
      RedisAsyncCommands<String, String> redis, List<Mark> marks) {
    return all(
        marks, mark -> RedisScript.ABANDON.run(redis, key(mark), IN_PROGRESS + mark.token()));
  }

  @Override
  public boolean checkAndMarkProcessed(String consumer, String eventId, Duration ttl) {
    check(consumer, List.of(eventId));
    Checks.positive("ttl", ttl);
    String key = key(consumer, eventId);
    String value = PROCESSED + UUID.randomUUID();
    SetArgs unlessThere = SetArgs.Builder.nx().ex(seconds(ttl));
    return !await("mark " + key, redis -> redis.set(key, value, unlessThere).thenApply(OK::equals));
  }

  @Override
  public boolean delete(String consumer, String eventId) {
    check(consumer, List.of(eventId));
    String key = key(consumer, eventId);
    return await("delete " + key, redis -> redis.del(key).thenApply(deleted -> deleted > 0));
  }

  @Override
  public Duration inProgressTime() {
    return inProgressTime;
  }

  @Override
  public @Nullable String problem(String eventId) {
    return eventId.isBlank() ? "the event id is blank" : EventIds.unicodeProblem(eventId);
  }

  /** Closes the store's connection; the client stays as it is. */
  @Override
  public void close() {
    link.close();
  }

  private String key(Mark mark) {
    return key(mark.consumer(), mark.eventId());
  }

  private String key(String consumer, String eventId) {
    return prefix + ":" + consumer + ":" + eventId;
  }

  private void check(String consumer, List<String> eventIds) {
    if (consumer.isBlank() || consumer.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "a consumer's name must not be blank, nor hold ':', which ends it in keys: '"
              + consumer
              + "'");
    }
    Checks.fits(this, eventIds);
  }

  /** Whole seconds, and rather more than less. */
  private static long seconds(Duration ttl) {
    return ttl.plusSeconds(1).minusNanos(1).toSeconds();
  }

  private static <A, T extends @Nullable Object> CompletionStage<List<@Nullable T>> all(
      List<A> of, Function<A, CompletionStage<T>> command) {
    List<CompletableFuture<T>> sent =
        of.stream().map(each -> command.apply(each).toCompletableFuture()).toList();
    return CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              List<@Nullable T> answers = new ArrayList<>(sent.size());
              sent.forEach(each -> answers.add(each.join()));
              return answers;
            });
  }

  private <T> T await(
      String what, Function<RedisAsyncCommands<String, String>, CompletionStage<T>> commands) {
    try {
      return link.send(commands).get();
    } catch (ExecutionException e) {
      throw unavailable(what, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("could not " + what + ": interrupted", e);
    }
  }

  private StoreUnavailableException unavailable(String what, Throwable failure) {
    Throwable cause = RedisLink.cause(failure);
    String problem =
        cause instanceof TimeoutException
            ? "Redis did not answer within " + timeout.toMillis() + " ms"
            : String.valueOf(cause.getMessage());
    return new StoreUnavailableException("could not %s: %s".formatted(what, problem), cause);
  }

  /** Collects the settings of a store. */
  public static final class Builder {
    private final RedisClient client;
    private String prefix = "pf:evt:processed";
    private Duration ttl = Duration.ofDays(30);
    private Duration inProgressTime = Duration.ofMinutes(1);
    private Duration timeout = Duration.ofSeconds(2);

    private Builder(RedisClient client) {
      this.client = client;
    }

    /** What keys begin with, before {@code :<consumer>}. Default: {@code pf:evt:processed}. */
    public Builder prefix(String prefix) {
      this.prefix = Checks.present("prefix", prefix);
      return this;
    }

    /**
     * How long a completed event is remembered, in whole seconds. Default: 30 days, that is 720
     * hours.
     */
    public Builder ttl(Duration ttl) {
      this.ttl = Checks.positive("ttl", ttl);
      return this;
    }

    /** How long an event stays in progress unless it is completed. Default: 1 minute. */
    public Builder inProgressTime(Duration inProgressTime) {
      this.inProgressTime = Checks.positive("inProgressTime", inProgressTime);
      return this;
    }

    /** How long a call waits for Redis. Default: 2 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = Checks.positive("timeout", timeout);
      return this;
    }

    /** The store; it connects on first use. */
    public RedisIdempotencyStore build() {
      return new RedisIdempotencyStore(this);
    }
  }
}
