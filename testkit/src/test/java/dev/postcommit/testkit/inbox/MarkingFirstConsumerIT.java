package dev.postcommit.testkit.inbox;

import static dev.postcommit.testkit.inbox.Messages.id;

import dev.postcommit.inbox.Inbox;
import dev.postcommit.inbox.RedisIdempotencyStore;
import dev.postcommit.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** R42, the literal mode: one mark, set before the handler and deleted if it fails. */
class MarkingFirstConsumerIT extends ConsumerContract {
  private RedisClient client;
  private RedisIdempotencyStore store;

  @BeforeEach
  void connect() {
    client = RedisClient.create(RedisServer.shared().url());
    store = RedisIdempotencyStore.builder(client).prefix("test:" + id()).build();
  }

  @AfterEach
  void disconnect() {
    store.close();
    client.shutdown();
  }

  @Override
  Inbox inbox() {
    return Inbox.markingFirst(store, Duration.ofDays(30));
  }
}
