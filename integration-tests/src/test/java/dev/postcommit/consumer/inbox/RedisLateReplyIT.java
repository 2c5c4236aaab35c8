package dev.postcommit.consumer.inbox;

import static dev.postcommit.consumer.Messages.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Messages;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Replies of Redis that come too late. */
class RedisLateReplyIT extends LateReplyContract {
  private final String prefix = "test:" + Messages.id();
  private final List<RedisClient> clients = new ArrayList<>();

  @Override
  IdempotencyStore open(int port) {
    return open(port, Duration.ofMillis(500));
  }

  private RedisIdempotencyStore open(int port, Duration timeout) {
    return RedisIdempotencyStore.builder(client(port)).prefix(prefix).timeout(timeout).build();
  }

  private RedisClient client(int port) {
    RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    clients.add(client);
    return client;
  }

  @Test
  @DisplayName("R41: a mark that the client sends again over a new connection is not another's")
  void aMarkThatTheClientSendsAgainIsKnownAgain() throws Exception {
    String id = id();
    try (RedisIdempotencyStore patient = open(proxy.port(), Duration.ofSeconds(20));
        StatefulRedisConnection<String, String> direct = client(server()).connect()) {
      assertThat(checkAndMark(patient, id())).isFalse();
      proxy.loseRepliesTo(id);
      CompletableFuture<Boolean> mark =
          CompletableFuture.supplyAsync(() -> checkAndMark(patient, id));
      await().until(() -> direct.sync().get(prefix + ":" + CONSUMER + ":" + id) != null);
      proxy.heal();

      assertThat(mark.get(20, TimeUnit.SECONDS)).as("it was marked before").isFalse();
      assertThat(checkAndMark(patient, id)).isTrue();
    }
  }

  @Override
  int server() {
    return RedisURI.create(RedisServer.shared().url()).getPort();
  }

  @AfterEach
  void shutDown() {
    clients.forEach(client -> client.shutdown(Duration.ZERO, Duration.ofSeconds(5)));
    clients.clear();
  }
}
