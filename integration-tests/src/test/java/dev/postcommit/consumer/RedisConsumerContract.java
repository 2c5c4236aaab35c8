package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What consumers promise, with a store in Redis. */
abstract class RedisConsumerContract extends ConsumerContract {
  private RedisClient client;
  RedisIdempotencyStore store;

  @BeforeEach
  void connect() {
    client = RedisClient.create(RedisServer.shared().url());
    store =
        RedisIdempotencyStore.builder(client)
            .prefix("test:" + Messages.id())
            .timeout(Duration.ofSeconds(20))
            .build();
  }

  @AfterEach
  void disconnect() {
    store.close();
    client.shutdown();
  }
}
