package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.kafka.consumer.ConsumerScene.Kill;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** The marks of consumers in Redis, seen from outside. */
final class RedisMarks implements AutoCloseable {
  private static final String PREFIX = "postcommit:";

  private final RedisClient client;
  private final RedisCommands<String, String> redis;

  RedisMarks(RedisServer server) {
    this.client = RedisClient.create(server.url());
    this.redis = client.connect().sync();
  }

  /**
   * The events of which a killed process has had the effect without marking them as processed: the
   * kill fell between the two.
   *
   * <p>Nobody else can have marked them since, because the process's own in-progress marks are
   * still there: they were set shortly before the kill. So this must not take long.
   */
  Set<String> unmarked(ConsumerScene scene, Kill kill) {
    String name = "name=" + ConsumerProcess.name(kill.pid()) + " ";
    // What it had sent is executed before its connection is closed.
    await().pollInterval(Duration.ofMillis(5)).until(() -> !redis.clientList().contains(name));
    Set<String> unmarked =
        unmarked(
            scene,
            scene.effects().all().stream()
                .filter(effect -> effect.pid() == kill.pid())
                .map(Effects.Effect::eventId)
                .collect(Collectors.toSet()));
    assertThat(Duration.between(kill.at(), Instant.now()))
        .as("time in which the in-progress marks of the killed process cannot have expired")
        .isLessThan(ConsumerProcess.IN_PROGRESS_TIME.dividedBy(2));
    return unmarked;
  }

  /** Those of the events that are not marked as processed. */
  Set<String> unmarked(ConsumerScene scene, Collection<String> eventIds) {
    String prefix = PREFIX + scene.name() + ":";
    String[] keys = eventIds.stream().map(prefix::concat).toArray(String[]::new);
    if (keys.length == 0) {
      return Set.of();
    }
    return redis.mget(keys).stream()
        .filter(mark -> !mark.hasValue() || !mark.getValue().startsWith("processed:"))
        .map(mark -> mark.getKey().substring(prefix.length()))
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
