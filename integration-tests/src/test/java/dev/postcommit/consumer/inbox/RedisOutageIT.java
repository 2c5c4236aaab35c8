package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the store says while Redis is down or unwilling, and that it recovers by itself. */
class RedisOutageIT {
  private static final Duration HOUR = Duration.ofHours(1);

  private final RedisServer server = RedisServer.start();
  private final RedisClient client = RedisClient.create(server.url());
  private final RedisIdempotencyStore store =
      RedisIdempotencyStore.builder(client).timeout(Duration.ofSeconds(1)).build();

  @AfterEach
  void close() {
    store.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    server.close();
  }

  private Mark begin(String id) {
    return ((Proceed) store.begin("inventory", id)).mark();
  }

  private boolean complete(Mark mark) {
    return store.complete(mark).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static void assertUnavailable(ThrowingCallable call) {
    long begin = System.nanoTime();
    assertThatThrownBy(call)
        .extracting(RedisOutageIT::unwrapped)
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
  }

  /** The failure of a stage is wrapped by join. */
  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof CompletionException ? thrown.getCause() : thrown;
  }

  private void assertEveryCallIsUnavailable(Mark mark) {
    String id = UUID.randomUUID().toString();
    assertUnavailable(() -> store.begin("inventory", id));
    assertUnavailable(() -> store.checkAndMarkProcessed("inventory", id, HOUR));
    assertUnavailable(() -> store.delete("inventory", id));
    assertUnavailable(() -> complete(mark));
    assertUnavailable(() -> store.abandon(List.of(mark)));
  }

  private void awaitAvailable() {
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
        .until(() -> store.begin("inventory", "probe " + UUID.randomUUID()) instanceof Proceed);
  }

  @Test
  @DisplayName("R44: a Redis that is down is told of at once, and marks are there when it is back")
  void aStopIsToldOfAndEnds() {
    awaitAvailable();
    Mark processed = begin("processed");
    assertThat(complete(processed)).isTrue();
    Mark open = begin("open");

    server.stop();
    assertEveryCallIsUnavailable(open);
    server.restart();
    awaitAvailable();

    assertThat(store.begin("inventory", "processed")).isEqualTo(Begin.DUPLICATE);
    assertThat(store.begin("inventory", "open")).isEqualTo(Begin.IN_PROGRESS);
    assertThat(complete(open)).isTrue();

    server.kill();
    assertEveryCallIsUnavailable(open);
    server.restart();
    awaitAvailable();
    assertThat(store.begin("inventory", "open")).isEqualTo(Begin.DUPLICATE);
  }

  @Test
  @DisplayName("what was told to have failed while Redis was down is not done when it is back")
  void nothingIsDoneLater() {
    awaitAvailable();
    begin("first");
    server.stop();
    for (int i = 0; i < 10; i++) {
      String id = "late-" + i;
      assertUnavailable(() -> store.begin("inventory", id));
      assertUnavailable(() -> store.checkAndMarkProcessed("inventory", id, HOUR));
    }
    server.restart();
    awaitAvailable();

    with(redis -> assertThat(redis.sync().keys("postcommit:inventory:late-*")).isEmpty());
  }

  @Test
  @DisplayName("a store can be built and used first while Redis is down")
  void aStoreCanBeUsedFirstWhileRedisIsDown() {
    server.stop();
    assertEveryCallIsUnavailable(new Mark("inventory", "id", "token"));
    server.restart();
    awaitAvailable();
  }

  @Test
  @DisplayName(
      "R44: a Redis that hangs is told of in time; a completion without answer is repeated")
  void aFreezeIsToldOfAndEnds() {
    awaitAvailable();
    Mark mark = begin("frozen");

    server.freeze();
    assertUnavailable(() -> complete(mark));
    String id = UUID.randomUUID().toString();
    assertUnavailable(() -> store.begin("inventory", id));
    assertUnavailable(() -> store.delete("inventory", id));
    server.thaw();
    awaitAvailable();

    assertThat(complete(mark)).isTrue();
    assertThat(store.begin("inventory", "frozen")).isEqualTo(Begin.DUPLICATE);
  }

  @Test
  @DisplayName("a Redis that takes no writes, for want of memory or as a replica, is unavailable")
  void aRedisThatTakesNoWritesIsUnavailable() {
    awaitAvailable();
    Mark mark = begin("marked");
    with(redis -> redis.sync().configSet("maxmemory", "1"));
    assertUnavailable(() -> store.begin("inventory", "unmarked"));
    assertUnavailable(() -> complete(mark));
    with(redis -> redis.sync().configSet("maxmemory", "0"));
    assertThat(store.begin("inventory", "unmarked")).isInstanceOf(Proceed.class);

    with(redis -> redis.sync().replicaof("127.0.0.1", 1));
    assertUnavailable(() -> store.begin("inventory", "also unmarked"));
    assertUnavailable(() -> complete(mark));
    with(redis -> redis.sync().replicaofNoOne());
    awaitAvailable();
    assertThat(complete(mark)).isTrue();
  }

  private void with(Consumer<StatefulRedisConnection<String, String>> work) {
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      work.accept(connection);
    }
  }
}
