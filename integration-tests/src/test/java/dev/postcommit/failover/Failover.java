package dev.postcommit.failover;

import static dev.postcommit.failover.Replication.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The loss of a primary whose standby was behind: writers and two relays go on with the promoted
 * standby, to which one address leads them.
 */
final class Failover implements AutoCloseable {
  private static final Duration BETWEEN_EVENTS = Duration.ofMillis(2);
  private static final int SOME = 150;

  /**
   * What came of it.
   *
   * @param delivered how many events were, before and after
   * @param ghosts those of them that the promoted server does not have
   * @param lost events of the promoted server that were not delivered
   */
  record Result(int delivered, Set<String> ghosts, Set<String> lost) {}

  private final Layout layout;
  private final LayoutSample sample;
  private final boolean waits;
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private final Set<String> delivered = ConcurrentHashMap.newKeySet();
  private final AtomicInteger written = new AtomicInteger();
  private final List<Relay> relays = new ArrayList<>();
  private volatile boolean stopped;

  Failover(LayoutSample sample, boolean waits) {
    this.sample = sample;
    this.layout = sample.layout();
    this.waits = waits;
  }

  Result run() {
    PostgresServer primary = opened(Replication.server().start(), PostgresServer::close);
    PostgresDatabase database = primary.createDatabase();
    OutboxMigration.migrate(database.dataSource(), layout);
    PostgresServer standby =
        opened(Replication.standbyOf(primary, "replica1"), PostgresServer::close);
    String url =
        "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/%s?targetServerType=primary&hostRecheckSeconds=1&connectTimeout=2"
            .formatted(primary.port(), standby.port(), database.name());
    for (int i = 0; i < 2; i++) {
      relays.add(startRelay(pool(url, primary.username())));
    }
    List<Thread> writers = List.of(writer(url, primary), writer(url, primary));
    await(() -> delivered.size() >= SOME);

    Replication.holdBack(primary, "replica1");
    int before = delivered.size();
    int writtenBefore = written.get();
    if (waits) {
      await(() -> relays.stream().anyMatch(r -> r.state() == Relay.State.STANDBYS_UNAVAILABLE));
      await(() -> written.get() >= writtenBefore + SOME);
    } else {
      await(() -> delivered.size() >= before + SOME);
    }
    Replication.kill(primary);
    Replication.promote(standby);
    if (waits) {
      opened(Replication.standbyOf(standby, "replica2"), PostgresServer::close);
    }
    int writtenByThen = written.get();
    await(() -> written.get() >= writtenByThen + SOME);
    stopped = true;
    writers.forEach(Failover::join);
    return result(standby, database.name());
  }

  private Result result(PostgresServer promoted, String name) {
    try (HikariDataSource pool =
        pool("jdbc:postgresql://127.0.0.1:%d/%s".formatted(promoted.port(), name), "postgres")) {
      Set<String> rows =
          new HashSet<>(
              Replication.texts(
                  pool,
                  "SELECT %s::text FROM %s".formatted(layout.sql(Role.ID), layout.table().sql())));
      assertThat(rows).hasSizeGreaterThan(2 * SOME);
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!delivered.containsAll(rows) && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      Set<String> ghosts = new HashSet<>(delivered);
      ghosts.removeAll(rows);
      Set<String> lost = new HashSet<>(rows);
      lost.removeAll(delivered);
      return new Result(delivered.size(), ghosts, lost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Relay startRelay(HikariDataSource pool) {
    Publisher publisher =
        Publisher.callback(
            Duration.ofSeconds(1), message -> delivered.add(message.headers().get("event_id")));
    Relay.Builder builder =
        Relay.builder(pool, publisher)
            .layout(layout)
            .lease(Duration.ofSeconds(5))
            .pollInterval(Duration.ofMillis(20));
    if (waits) {
      builder.waitForStandbys(1, List.of("replica1", "replica2"));
    }
    Relay relay = opened(builder.build(), Relay::close);
    relay.start();
    return relay;
  }

  private Thread writer(String url, PostgresServer primary) {
    HikariDataSource pool = pool(url, primary.username());
    Outbox outbox = Outbox.builder(layout).build();
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; !stopped; i++) {
                write(pool, outbox, "key-" + i % 20);
              }
            });
    writer.start();
    return opened(writer, Failover::join);
  }

  private void write(HikariDataSource pool, Outbox outbox, String key) {
    try (Connection tx = pool.getConnection()) {
      tx.setAutoCommit(false);
      outbox.enqueue(tx, sample.event().apply(key).json("{\"k\":1}").build());
      tx.commit();
      written.incrementAndGet();
    } catch (SQLException | RuntimeException e) {
      // The primary is gone, and the next one not there yet.
    }
    LockSupport.parkNanos(BETWEEN_EVENTS.toNanos());
  }

  private HikariDataSource pool(String url, String user) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setMaximumPoolSize(12);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(2_000);
    config.setInitializationFailTimeout(-1);
    return opened(new HikariDataSource(config), HikariDataSource::close);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T opened(T resource, Consumer<T> close) {
    closing.push(() -> close.accept(resource));
    return resource;
  }

  @Override
  public void close() {
    stopped = true;
    closing.forEach(Runnable::run);
  }
}
