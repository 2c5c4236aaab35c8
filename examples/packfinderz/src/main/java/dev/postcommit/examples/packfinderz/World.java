package dev.postcommit.examples.packfinderz;

import dev.postcommit.DomainEvents;
import dev.postcommit.Outbox;
import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.examples.packfinderz.compliance.ComplianceConsumer;
import dev.postcommit.examples.packfinderz.compliance.ConsumerSettings;
import dev.postcommit.examples.packfinderz.events.Events;
import dev.postcommit.examples.packfinderz.licenses.LicenseService;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** PackFinderz as a whole: its servers, its publisher and its consumer. */
final class World implements AutoCloseable {
  /** A subscription that nobody reads before the end: it has every message. */
  static final String AUDIT = "pf-audit";

  private static final String SUBSCRIPTION = "pf-compliance";

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final PostgresServer postgres;
  private final RedisServer redis;
  private final PubSubServer pubsub;
  private final PubSubProxy pathToPubSub;
  private final Processes processes;
  private final RedisClient redisClient;
  private final LicenseService licenses =
      new LicenseService(DomainEvents.on(Outbox.builder(Tables.OUTBOX).build()));
  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> handled = new ConcurrentHashMap<>();
  private ChildProcess publisher;

  /** Starts all of it. */
  World() {
    try {
      CompletableFuture<PostgresServer> starting =
          CompletableFuture.supplyAsync(PostgresServer::start);
      opened.push(() -> starting.join().close());
      redis = opened(RedisServer.start());
      pubsub = opened(PubSubServer.startHere());
      pubsub.createTopic(Events.TOPIC);
      pubsub.createSubscription(SUBSCRIPTION, Events.TOPIC);
      pubsub.createSubscription(AUDIT, Events.TOPIC);
      pathToPubSub = opened(PubSubProxy.before(pubsub));
      postgres = starting.join();
      Tables.migrate(postgres.dataSource());
      processes = opened(Processes.create());
      publisher = startPublisher();
      redisClient = RedisClient.create(redis.url());
      opened.push(redisClient::shutdown);
      opened(consumer()).start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  private ComplianceConsumer consumer() {
    Map<String, String> environment = Map.of(ConsumerSettings.SUBSCRIPTION, SUBSCRIPTION);
    return new ComplianceConsumer(
        ConsumerSettings.read(environment),
        PubSubConnection.of(pubsub.project()).emulator(pubsub.emulatorHost()),
        redisClient,
        postgres.dataSource(),
        new ConsumerListener() {
          @Override
          public void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {
            failed.add(event.id());
          }

          @Override
          public void processed(ReceivedEvent<?> event, Duration took) {
            handled.merge(event.id(), 1, Integer::sum);
          }
        });
  }

  private ChildProcess startPublisher() {
    return OutboxPublisherProcess.builder(
            processes,
            OutboxPublisherProcess.environment(
                postgres.jdbcUrl(),
                postgres.username(),
                pubsub.project(),
                pathToPubSub.emulatorHost()))
        .environment("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250")
        .start();
  }

  /** Ends the publisher by SIGKILL. */
  void killPublisher() {
    publisher.kill();
  }

  /** Starts a publisher in place of one that was killed. */
  void restartPublisher() {
    publisher = startPublisher();
  }

  ChildProcess publisher() {
    return publisher;
  }

  LicenseService licenses() {
    return licenses;
  }

  DataSource database() {
    return postgres.dataSource();
  }

  RedisServer redis() {
    return redis;
  }

  RedisClient redisClient() {
    return redisClient;
  }

  PubSubServer pubsub() {
    return pubsub;
  }

  /** The ids of events whose handler has failed at least once. */
  Set<String> failed() {
    return Set.copyOf(failed);
  }

  /** How often an event was handled. */
  int handled(String event) {
    return handled.getOrDefault(event, 0);
  }

  /** Stands between the publisher and Pub/Sub. */
  PubSubProxy pathToPubSub() {
    return pathToPubSub;
  }

  /** Ends everything, the last first. */
  @Override
  public void close() {
    IllegalStateException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        failure = new IllegalStateException("could not clean up: " + e.getMessage(), e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
