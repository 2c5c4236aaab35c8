package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.spring.settings.SetupException;
import io.lettuce.core.RedisClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The inbox in Redis, for effects outside of the database. */
final class RedisInbox {
  private static final String CLIENT = "io.lettuce.core.RedisClient";

  private RedisInbox() {}

  /**
   * The inbox, which connects on first use.
   *
   * @throws SetupException if there is no client of Redis
   */
  static Inbox of(ListableBeanFactory beans) {
    if (!ClassUtils.isPresent(CLIENT, null)) {
      throw new SetupException(
          "postcommit.consumer.inbox is redis, and there is no client of Redis",
          "add the dependency io.lettuce:lettuce-core");
    }
    @Nullable RedisClient client = beans.getBeanProvider(RedisClient.class).getIfUnique();
    if (client == null) {
      throw new SetupException(
          "postcommit.consumer.inbox is redis, and it is unclear where Redis is",
          "set spring.data.redis.url or spring.data.redis.host, or declare one bean of type "
              + CLIENT);
    }
    return Inbox.marking(RedisIdempotencyStore.builder(client).build());
  }
}
