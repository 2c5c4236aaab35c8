package dev.postcommit.examples.packfinderz;

import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.examples.packfinderz.compliance.ComplianceConsumer;
import dev.postcommit.examples.packfinderz.compliance.ConsumerSettings;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Map;

/** A stage with a publisher that logs all it does, and the compliance consumer. */
final class ComplianceStage implements AutoCloseable {
  private final Stage stage = new Stage();
  private final Heard heard = new Heard();
  private final RedisClient redis = RedisClient.create(RedisServer.shared().url());
  private final IdempotencyStore store =
      RedisIdempotencyStore.builder(redis)
          .prefix(ComplianceConsumer.MARKS)
          .timeout(Stage.PATIENCE)
          .build();
  private final ChildProcess publisher;
  private final ComplianceConsumer consumer;

  /** Starts both; the consumer's marks are kept for {@code ttl}. */
  ComplianceStage(Duration ttl) {
    publisher =
        Stage.started(
            stage
                .publisher()
                .environment("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250")
                .environment("POSTCOMMIT_LOG_FORMAT", "json")
                .environment("POSTCOMMIT_LOG_LEVEL", "info,dev.postcommit.event=debug"));
    Map<String, String> environment =
        Map.of(
            ConsumerSettings.SUBSCRIPTION,
            stage.subscribe(),
            ConsumerSettings.TTL_HOURS,
            Long.toString(ttl.toHours()));
    consumer =
        new ComplianceConsumer(
            ConsumerSettings.read(environment),
            PubSubConnection.of(stage.pubsub().project()).emulator(stage.pubsub().emulatorHost()),
            redis,
            stage.dataSource(),
            heard);
    consumer.start();
  }

  Stage stage() {
    return stage;
  }

  /** What the consumer did. */
  Heard heard() {
    return heard;
  }

  ChildProcess publisher() {
    return publisher;
  }

  IdempotencyStore store() {
    return store;
  }

  Marks marks() {
    return new Marks(redis);
  }

  @Override
  public void close() {
    consumer.close();
    store.close();
    redis.shutdown();
    stage.close();
  }
}
