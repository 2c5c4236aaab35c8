package dev.postcommit.consumer.inbox;

import static java.util.stream.Collectors.groupingBy;

import dev.postcommit.support.Wrappers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * marks that other programs set are understood. Both expire by themselves. A repeated {@link
 * #complete} returns true.
 *
 * <p>A call that was not answered in time may have been executed, or may still be. When it is
 * repeated on the same store, the store recognises its mark. Everyone else finds the event in
 * progress, until its in-progress time is over, or marked. Marks are as durable as Redis is
 * configured to be, and a failover to a replica can lose the latest.
 */
public final class RedisIdempotencyStore implements IdempotencyStore {
  private static final String IN_PROGRESS = "in-progress:";
  private static final String PROCESSED = "processed:";
  private static final String OK = "OK";

  private final RedisConnector redis;
  private final String prefix;
  private final Duration ttl;
  private final Duration inProgressTime;
  private final Duration timeout;
  private final UnansweredCalls<String> unansweredBegins = new UnansweredCalls<>();
  private final UnansweredCalls<String> unansweredMarks = new UnansweredCalls<>();

  private RedisIdempotencyStore(Builder builder) {
    this.redis = new RedisConnector(builder.client, builder.timeout);
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
    if (eventIds.isEmpty()) {
      return List.of();
    }
    String[] keys = eventIds.stream().map(id -> key(consumer, id)).toArray(String[]::new);
    String token = UUID.randomUUID().toString();
    String[] tokens =
        Stream.of(keys).map(key -> unansweredBegins.take(key, token)).toArray(String[]::new);
    String[] arguments =
        Stream.concat(
                Stream.of(Long.toString(inProgressTime.toMillis()), IN_PROGRESS),
                (Stream.of(tokens).allMatch(token::equals) ? Stream.of(token) : Stream.of(tokens))
                    .map(each -> IN_PROGRESS + each))
            .toArray(String[]::new);
    List<Long> answers;
    try {
      answers =
          await(
              "begin events of " + consumer,
              commands -> RedisScript.BEGIN.<List<Long>>run(commands, keys, arguments));
    } catch (StoreUnavailableException e) {
      for (int i = 0; i < keys.length; i++) {
        unansweredBegins.keep(keys[i], tokens[i]);
      }
      throw e;
    }
    return IntStream.range(0, keys.length)
        .mapToObj(i -> begin(answers.get(i), new Mark(consumer, eventIds.get(i), tokens[i])))
        .toList();
  }

  private static Begin begin(long answer, Mark mark) {
    if (answer == 0) {
      return new Begin.Proceed(mark);
    }
    return answer == 1 ? Begin.IN_PROGRESS : Begin.DUPLICATE;
  }

  @Override
  public CompletionStage<Boolean> complete(Mark mark) {
    String key = key(mark.consumer(), mark.eventId());
    String seconds = Long.toString(seconds(ttl));
    return redis
        .send(
            commands ->
                RedisScript.COMPLETE.<Long>run(
                    commands,
                    new String[] {key},
                    IN_PROGRESS + mark.token(),
                    PROCESSED + mark.token(),
                    seconds))
        .thenApply(changed -> changed == 1)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedStage(unavailable("complete " + key, failure)));
  }

  @Override
  public void abandon(List<Mark> marks) {
    marks.stream()
        .collect(groupingBy(Mark::token))
        .forEach(
            (token, together) -> {
              String[] keys =
                  together.stream()
                      .map(mark -> key(mark.consumer(), mark.eventId()))
                      .toArray(String[]::new);
              await(
                  "abandon events of " + together.get(0).consumer(),
                  commands -> RedisScript.ABANDON.<Long>run(commands, keys, IN_PROGRESS + token));
            });
  }

  @Override
  public Optional<Mark> markProcessed(String consumer, String eventId, Duration ttl) {
    check(consumer, List.of(eventId));
    StoreArguments.positive("ttl", ttl);
    String key = key(consumer, eventId);
    String token = unansweredMarks.take(key, UUID.randomUUID().toString());
    String value = PROCESSED + token;
    SetArgs unlessThere = SetArgs.Builder.nx().ex(seconds(ttl));
    try {
      boolean isOurs =
          await(
              "mark " + key,
              commands ->
                  commands
                      .set(key, value, unlessThere)
                      .thenCompose(
                          set ->
                              OK.equals(set)
                                  ? CompletableFuture.completedStage(true)
                                  // It may be there since an earlier attempt, be it the client's.
                                  : commands.get(key).thenApply(value::equals)));
      return isOurs ? Optional.of(new Mark(consumer, eventId, token)) : Optional.empty();
    } catch (StoreUnavailableException e) {
      unansweredMarks.keep(key, token);
      throw e;
    }
  }

  @Override
  public void unmark(Mark mark) {
    String key = key(mark.consumer(), mark.eventId());
    await(
        "unmark " + key,
        commands ->
            RedisScript.ABANDON.<Long>run(commands, new String[] {key}, PROCESSED + mark.token()));
  }

  @Override
  public boolean delete(String consumer, String eventId) {
    check(consumer, List.of(eventId));
    String key = key(consumer, eventId);
    return await("delete " + key, commands -> commands.del(key).thenApply(deleted -> deleted > 0));
  }

  @Override
  public Duration inProgressTime() {
    return inProgressTime;
  }

  @Override
  public @Nullable String problem(String eventId) {
    return eventId.isBlank() ? "the event id is blank" : EventIdColumn.unicodeProblem(eventId);
  }

  /** Closes the store's connection; the client stays as it is. */
  @Override
  public void close() {
    redis.close();
  }

  private String key(String consumer, String eventId) {
    return prefix + ":" + consumer + ":" + eventId;
  }

  private void check(String consumer, List<String> eventIds) {
    check(consumer);
    StoreArguments.checkIds(this, eventIds);
  }

  @Override
  public void check(String consumer) {
    if (consumer.isBlank() || consumer.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "a consumer's name must not be blank, nor hold ':', which ends it in keys: '"
              + consumer
              + "'");
    }
  }

  /** Whole seconds, rounded up. */
  private static long seconds(Duration ttl) {
    return ttl.plusSeconds(1).minusNanos(1).toSeconds();
  }

  private <T> T await(
      String what, Function<RedisAsyncCommands<String, String>, CompletionStage<T>> commands) {
    try {
      return redis.send(commands).get();
    } catch (ExecutionException e) {
      throw unavailable(what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("could not " + what + ": interrupted", e);
    }
  }

  private StoreUnavailableException unavailable(String what, Throwable failure) {
    Throwable cause = Wrappers.unwrap(failure);
    String problem =
        cause instanceof TimeoutException
            ? RedisErrors.late(timeout.toMillis(), redis.isConnecting())
            : RedisErrors.text(cause);
    return new StoreUnavailableException("could not %s: %s".formatted(what, problem), cause);
  }

  /** Collects the settings of a store. */
  public static final class Builder {
    private final RedisClient client;
    private String prefix = "postcommit";
    private Duration ttl = Duration.ofDays(30);
    private Duration inProgressTime = Duration.ofMinutes(1);
    private Duration timeout = Duration.ofSeconds(2);

    private Builder(RedisClient client) {
      this.client = client;
    }

    /** What keys begin with, before {@code :<consumer>}. Default: {@code postcommit}. */
    public Builder prefix(String prefix) {
      this.prefix = StoreArguments.present("prefix", prefix);
      return this;
    }

    /**
     * How long a completed event is remembered, in whole seconds. Default: 30 days, that is 720
     * hours.
     */
    public Builder ttl(Duration ttl) {
      this.ttl = StoreArguments.positive("ttl", ttl);
      return this;
    }

    /** How long an event stays in progress unless it is completed. Default: 1 minute. */
    public Builder inProgressTime(Duration inProgressTime) {
      this.inProgressTime = StoreArguments.positive("inProgressTime", inProgressTime);
      return this;
    }

    /** How long a call waits for Redis. Default: 2 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = StoreArguments.positive("timeout", timeout);
      return this;
    }

    /** The store; it connects on first use. */
    public RedisIdempotencyStore build() {
      return new RedisIdempotencyStore(this);
    }
  }
}
