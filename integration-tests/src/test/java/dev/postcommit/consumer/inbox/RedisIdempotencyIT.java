package dev.postcommit.consumer.inbox;

import dev.postcommit.testkit.contract.IdempotencyContract;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract in Redis. */
class RedisIdempotencyIT extends IdempotencyContract {
  private static RedisClient client;

  private final String prefix = "test:" + UUID.randomUUID();

  @BeforeAll
  static void connect() {
    client = RedisClient.create(RedisServer.shared().url());
  }

  @AfterAll
  static void shutDown() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
  }

  @Override
  protected IdempotencyStore open(String consumer, Duration inProgressTime, Duration ttl) {
    return RedisIdempotencyStore.builder(client)
        .prefix(prefix)
        .timeout(Duration.ofSeconds(20))
        .inProgressTime(inProgressTime)
        .ttl(ttl)
        .build();
  }

  @Override
  protected List<String> unusualIds() {
    return List.of(
        "a:b:c",
        ":",
        "spät 🕰 後で",
        "with space",
        "x".repeat(10_000),
        "A",
        "a",
        "\0",
        "line\nbreak");
  }
}
