package dev.postcommit.bench.consume;

import dev.postcommit.bench.contender.Tables;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the guard against duplicates costs a consumer. */
@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Consumes the same events without an inbox, with marks in Redis, and with marks in Postgres",
      "in the handler's transaction; with handlers that do nothing, and with ones that write a row",
      "(without Postgres' inbox each in a transaction of its own, as a plain consumer does).",
      "Redis writes its log to the disk every second.",
      "Rounds alternate; medians and ratios are printed."
    })
public final class ConsumeCommand implements Callable<Integer> {
  private static final String TABLE = "processed_events";
  private static final String CONSUMER = "bench";

  @Option(names = "--events", description = "events to consume with handlers that do nothing")
  private int events = 200_000;

  @Option(names = "--rows", description = "events to consume with handlers that write a row")
  private int rows = 20_000;

  @Option(names = "--bytes", description = "size of a payload")
  private int bytes = 300;

  @Option(names = "--keys", description = "keys the events are spread over")
  private int keys = 10_000;

  @Option(names = "--threads", description = "threads that handle events")
  private int threads = 1;

  @Option(names = "--batch-size", description = "most events that are handled at once")
  private int batchSize = 500;

  @Option(names = "--rounds", description = "rounds that count, after one that does not")
  private int rounds = 3;

  /** What guards the consumer. */
  private enum Guard {
    BARE,
    REDIS,
    JDBC
  }

  @Override
  public Integer call() throws Exception {
    Rates idle = new Rates(events);
    Rates writing = new Rates(rows);
    try (Servers servers = Servers.start();
        RedisServer redis = startRedis();
        RedisClient client = redis == null ? null : RedisClient.create(redis.url())) {
      List<Guard> guards = new ArrayList<>(List.of(Guard.values()));
      if (client == null) {
        guards.remove(Guard.REDIS);
      }
      InboxMigration.migrate(servers.dataSource(), TableName.of(TABLE));
      Tables.execute(servers.dataSource(), "CREATE TABLE effect (event_id uuid NOT NULL)");
      EventTopic.fill(servers, events, bytes, keys);
      for (int round = 0; round <= rounds; round++) {
        System.out.printf("round %d%s%n", round, round == 0 ? " (does not count)" : "");
        for (Guard guard : guards) {
          idle.note(round, name(guard, false), run(servers, client, guard, false));
        }
        for (Guard guard : guards) {
          writing.note(round, name(guard, true), run(servers, client, guard, true));
        }
      }
    }
    System.out.printf(
        "%nmedians of %d rounds, events of %d bytes, %d thread(s)%n", rounds, bytes, threads);
    idle.print(name(Guard.BARE, false));
    writing.print(name(Guard.BARE, true));
    return 0;
  }

  private static @Nullable RedisServer startRedis() {
    try {
      return RedisServer.builder().setting("appendfsync", "everysec").start();
    } catch (RuntimeException e) {
      System.out.println("NOT MEASURED: Redis, which cannot be started: " + e.getMessage());
      return null;
    }
  }

  private static String name(Guard guard, boolean writes) {
    String handler = writes ? "a row is written, " : "nothing is done, ";
    return handler
        + switch (guard) {
          case BARE -> "no inbox";
          case REDIS -> "Redis";
          case JDBC -> "Postgres";
        };
  }

  private Duration run(Servers servers, @Nullable RedisClient client, Guard guard, boolean writes)
      throws InterruptedException, SQLException {
    Tables.execute(servers.dataSource(), "TRUNCATE " + TABLE + ", effect");
    Stopwatch handled = new Stopwatch(writes ? rows : events);
    try (RedisIdempotencyStore redis =
            guard == Guard.REDIS
                ? RedisIdempotencyStore.builder(Objects.requireNonNull(client))
                    .prefix("bench:" + UUID.randomUUID())
                    .build()
                : null;
        KafkaEventConsumer consumer =
            KafkaEventConsumer.builder(
                    guard == Guard.JDBC
                        ? transactional(servers.dataSource(), writes, handled)
                        : plain(
                            servers.dataSource(),
                            redis == null ? Inbox.none() : Inbox.marking(redis),
                            writes,
                            handled))
                .bootstrapServers(servers.bootstrapServers())
                .group("bench-" + UUID.randomUUID())
                .topics(Servers.TOPIC)
                .threads(threads)
                .batchSize(batchSize)
                .property("max.poll.records", 2_000)
                .build()) {
      consumer.start();
      return handled.await();
    }
  }

  private static EventConsumer transactional(
      DataSource dataSource, boolean writes, Stopwatch handled) {
    return EventConsumer.builder(CONSUMER)
        .inbox(Inbox.transactional(JdbcIdempotencyStore.builder(dataSource, CONSUMER).build()))
        .on(
            EventTopic.TYPE,
            byte[].class,
            (tx, event) -> {
              if (writes) {
                write(tx, event.id());
              }
              handled.count();
            })
        .build();
  }

  private static EventConsumer plain(
      DataSource dataSource, Inbox inbox, boolean writes, Stopwatch handled) {
    return EventConsumer.builder(CONSUMER)
        .inbox(inbox)
        .on(
            EventTopic.TYPE,
            byte[].class,
            event -> {
              if (writes) {
                try (Connection connection = dataSource.getConnection()) {
                  write(connection, event.id());
                }
              }
              handled.count();
            })
        .build();
  }

  private static void write(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect VALUES (CAST(? AS uuid))")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }
}
