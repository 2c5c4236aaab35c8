package dev.postcommit.consumer.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a plain client sees of the marks in Redis. */
class RedisKeysIT {
  private static final long DAYS_30 = Duration.ofDays(30).toMillis();

  private final RedisClient client = RedisClient.create(RedisServer.shared().url());
  private final StatefulRedisConnection<String, String> connection = client.connect();
  private final RedisCommands<String, String> redis = connection.sync();
  private final RedisIdempotencyStore store =
      RedisIdempotencyStore.builder(client).timeout(Duration.ofSeconds(20)).build();
  private final String id = UUID.randomUUID().toString();
  private final String key = "postcommit:inventory:" + id;

  @AfterEach
  void close() {
    store.close();
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
  }

  private Mark begin() {
    return ((Proceed) store.begin("inventory", id)).mark();
  }

  private static boolean complete(RedisIdempotencyStore store, Mark mark) {
    return store.complete(mark).toCompletableFuture().join();
  }

  @Test
  @DisplayName("R42: a mark is short while in progress, and of 720 hours when confirmed")
  void aMarkIsShortWhileInProgressAndLongWhenConfirmed() {
    Mark mark = begin();
    assertThat(redis.get(key)).isEqualTo("in-progress:" + mark.token());
    assertThat(redis.pttl(key)).isBetween(50_000L, 60_000L);

    assertThat(complete(store, mark)).isTrue();
    assertThat(redis.get(key)).isEqualTo("processed:" + mark.token());
    assertThat(redis.pttl(key)).isBetween(DAYS_30 - 10_000, DAYS_30);

    assertThat(store.delete("inventory", id)).isTrue();
    assertThat(redis.exists(key)).isZero();
  }

  @Test
  @DisplayName("R41: the literal mark is one SET key value NX EX ttl")
  void theLiteralMarkIsOneSet() throws IOException {
    // Connects before anybody listens.
    store.delete("inventory", id);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), RedisServer.shared().port());
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("MONITOR\r\n".getBytes(UTF_8));
      assertThat(lines.readLine()).isEqualTo("+OK");

      assertThat(store.checkAndMarkProcessed("inventory", id, Duration.ofDays(7))).isFalse();
      redis.ping();

      String set = lines.readLine();
      assertThat(set).contains("\"SET\" \"" + key + "\" ");
      assertThat(set).contains("\"EX\" \"604800\"").contains("\"NX\"");
      assertThat(lines.readLine()).as("nothing else").contains("\"PING\"");
    }
    assertThat(redis.ttl(key)).isBetween(604_790L, 604_800L);
    assertThat(store.checkAndMarkProcessed("inventory", id, Duration.ofHours(1))).isTrue();
    assertThat(redis.ttl(key)).as("kept").isBetween(604_790L, 604_800L);
  }

  @Test
  @DisplayName("R41: prefix and time to live can be set")
  void prefixAndTimeToLiveCanBeSet() {
    String prefix = "shop:" + UUID.randomUUID();
    try (RedisIdempotencyStore other =
        RedisIdempotencyStore.builder(client)
            .prefix(prefix)
            .ttl(Duration.ofDays(7).plusMillis(1))
            .inProgressTime(Duration.ofSeconds(5))
            .build()) {
      Mark mark = ((Proceed) other.begin("payment", id)).mark();
      assertThat(redis.pttl(prefix + ":payment:" + id)).isBetween(1L, 5_000L);
      assertThat(complete(other, mark)).isTrue();

      assertThat(redis.ttl(prefix + ":payment:" + id)).isBetween(604_790L, 604_801L);
      assertThat(redis.keys(prefix + "*")).hasSize(1);
    }
  }

  @Test
  @DisplayName("R41: a mark that another program set says that the event was processed")
  void marksOfOtherProgramsAreUnderstood() {
    redis.set(key, "1");

    assertThat(store.begin("inventory", id)).isEqualTo(Begin.DUPLICATE);
    assertThat(store.checkAndMarkProcessed("inventory", id, Duration.ofHours(1))).isTrue();
    assertThat(complete(store, new Mark("inventory", id, "mine"))).isFalse();
    store.abandon(List.of(new Mark("inventory", id, "mine")));
    assertThat(redis.get(key)).isEqualTo("1");
  }

  @Test
  @DisplayName("R44: a completion can be repeated")
  void aCompletionCanBeRepeated() {
    Mark mark = begin();

    assertThat(complete(store, mark)).isTrue();
    assertThat(complete(store, mark)).isTrue();

    assertThat(store.begin("inventory", id)).isEqualTo(Begin.DUPLICATE);
  }

  @Test
  void scriptsThatRedisHasForgottenAreSentAgain() {
    Mark mark = begin();
    redis.scriptFlush();
    store.abandon(List.of(mark));
    Mark next = begin();
    redis.scriptFlush();

    assertThat(complete(store, next)).isTrue();
  }

  @Test
  void whatWouldBeMistakenInAKeyIsRefused() {
    assertThatThrownBy(() -> store.begin("a:b", id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a:b'");
    assertThatThrownBy(() -> store.delete(" ", id)).isInstanceOf(IllegalArgumentException.class);
    assertThat(store.problem("half \ud83d")).contains("surrogate");
  }

  @Test
  void theClientStaysOpenWhenTheStoreIsClosed() {
    begin();
    store.close();
    store.close();

    assertThat(redis.ping()).isEqualTo("PONG");
    try (RedisIdempotencyStore other = RedisIdempotencyStore.builder(client).build()) {
      assertThat(other.begin("inventory", id)).isEqualTo(Begin.IN_PROGRESS);
    }
  }
}
