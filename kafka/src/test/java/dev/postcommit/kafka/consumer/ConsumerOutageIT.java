package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.testkit.contract.ObservedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Database or broker fail while events are handled in transactions. */
class ConsumerOutageIT {
  private static final int EVENTS = 1_500;

  private final ObservedConsumer observed = new ObservedConsumer();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private final Set<String> sent = new HashSet<>();

  /** No attempt is counted although handlers fail: the retry policy knows but one. */
  @Test
  @DisplayName("R39, R43, R44: a crash of Postgres gives up no event and repeats no effect")
  void aCrashOfPostgresRepeatsNoEffect() {
    try (PostgresServer postgres = PostgresServer.start();
        EventTopic topic = new EventTopic(KafkaServer.shared(), 4);
        HikariDataSource pool = pool(postgres.jdbcUrl(), postgres.username())) {
      Effects effects = new Effects(postgres.dataSource());
      handleThrough(
          topic,
          pool,
          effects,
          () -> {
            awaitEffects(effects, EVENTS / 5);
            int before = failures.get();
            assertThat(effects.events()).as("events handled so far").isLessThan(EVENTS);
            CountDownLatch stopped = holdHandlers();
            postgres.stopImmediate();
            stopped.countDown();
            await("an outage that a handler noticed")
                .until(() -> observed.outages() > 0 && failures.get() > before);
            postgres.restart();
          });
      assertThat(observed.recoveries()).isGreaterThan(0);
    }
  }

  /** Sessions are ended one by one, most of them while a handler is in its transaction. */
  @Test
  @DisplayName("R39, R43, R44: sessions that are terminated give up no event and repeat no effect")
  void terminatedSessionsRepeatNoEffect() {
    try (var database = PostgresServer.shared().createDatabase();
        EventTopic topic = new EventTopic(KafkaServer.shared(), 4);
        HikariDataSource pool = pool(database.jdbcUrl(), database.username())) {
      Effects effects = new Effects(database.dataSource());
      handleThrough(
          topic,
          pool,
          effects,
          () -> {
            for (int i = 1; i <= 5; i++) {
              awaitEffects(effects, i * EVENTS / 10);
              effects.run(
                  """
                  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE application_name = 'outage' AND state <> 'idle'
                  """);
            }
          });
      assertThat(failures).as("handlers that failed").hasValueGreaterThan(0);
    }
  }

  @Test
  @DisplayName("R43, R44: a crash of Kafka repeats no effect")
  void aCrashOfKafkaRepeatsNoEffect() {
    try (KafkaServer kafka = KafkaServer.start();
        var database = PostgresServer.shared().createDatabase();
        EventTopic topic = new EventTopic(kafka, 4);
        HikariDataSource pool = pool(database.jdbcUrl(), database.username())) {
      Effects effects = new Effects(database.dataSource());
      handleThrough(
          topic,
          pool,
          effects,
          () -> {
            awaitEffects(effects, EVENTS / 10);
            kafka.kill();
            assertThat(effects.events()).as("events handled so far").isLessThan(EVENTS);
            kafka.restart();
            sent.addAll(topic.sendWithDuplicates(EVENTS));
          });
      assertThat(failures).hasValue(0);
    }
  }

  private void handleThrough(
      EventTopic topic, HikariDataSource pool, Effects effects, Runnable accident) {
    EventConsumer events = consumer(pool);
    sent.addAll(topic.sendWithDuplicates(EVENTS));
    try (KafkaEventConsumer consumer =
        topic.consumer(events).threads(2).order(ConsumerOrder.KEY).batchSize(20).build()) {
      consumer.start();
      accident.run();
      topic.awaitDone(events);
    }
    List<String> handled = effects.all().stream().map(Effects.Effect::eventId).toList();
    System.out.printf(
        "%d effects; %d handlers failed, %d outages noticed, %d duplicates filtered%n",
        handled.size(), failures.get(), observed.outages(), observed.duplicates());
    assertThat(handled).hasSize(sent.size());
    assertThat(new HashSet<>(handled)).isEqualTo(sent);
    assertThat(effects.processed()).hasSize(sent.size()).hasSameElementsAs(sent);
    assertThat(observed.retries()).as("attempts counted").isEmpty();
    assertThat(observed.dead()).isEmpty();
  }

  private EventConsumer consumer(HikariDataSource pool) {
    String name = "outage-" + UUID.randomUUID();
    return EventConsumer.builder(name)
        .inbox(Inbox.transactional(JdbcIdempotencyStore.builder(pool, name).build()))
        // An attempt that counts would be the last.
        .retryPolicy(new RetryPolicy(1, Duration.ofMillis(10), Duration.ofMillis(10)))
        .listener(observed)
        .on(EventTopic.TYPE, String.class, this::handle)
        .build();
  }

  private void handle(Connection tx, ReceivedEvent<String> event) throws Exception {
    CountDownLatch closed = gate;
    if (closed.getCount() > 0) {
      held.incrementAndGet();
      closed.await();
    }
    try {
      Effects.write(tx, event, 0);
      Thread.sleep(2);
    } catch (Exception e) {
      failures.incrementAndGet();
      throw e;
    }
  }

  /** Waits until a handler is in its transaction; it and others go on when told to. */
  private CountDownLatch holdHandlers() {
    CountDownLatch goOn = new CountDownLatch(1);
    gate = goOn;
    await("a handler in its transaction").until(() -> held.get() > 0);
    return goOn;
  }

  private static void awaitEffects(Effects effects, int count) {
    await().pollInterval(Duration.ofMillis(10)).until(() -> effects.events() >= count);
  }

  private static HikariDataSource pool(String url, String user) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url + "?ApplicationName=outage");
    config.setUsername(user);
    config.setConnectionTimeout(1_000);
    config.setMaximumPoolSize(3);
    return new HikariDataSource(config);
  }
}
