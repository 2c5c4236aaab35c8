package dev.postcommit.failover;

import static dev.postcommit.failover.Replication.await;
import static dev.postcommit.failover.Replication.execute;
import static dev.postcommit.failover.Replication.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Outbox;
import dev.postcommit.failover.Replication.Frozen;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.internal.store.StandbyPositions;
import dev.postcommit.internal.store.StandbyPositions.Positions;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.store.Grants;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.postgres.PgBouncer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay that sends events when a standby has them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandbyIT {
  private static final long PAGE = 8192;
  private static final long HEADER = 24;
  private static final List<LayoutSample> SAMPLES =
      List.of(Samples.NATIVE, Samples.LOG, Samples.MODKIT, Samples.LOGISTIK);

  private PostgresServer primary;
  private PostgresServer standby;
  private PostgresDatabase database;
  private final Set<String> delivered = ConcurrentHashMap.newKeySet();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @BeforeAll
  void start() {
    // The log is written to disk when somebody waits for that, and hardly ever otherwise.
    primary =
        Replication.server()
            .setting("wal_writer_delay", "10s")
            .setting("autovacuum", "off")
            .setting("checkpoint_timeout", "1h")
            .start();
    standby = Replication.standbyOf(primary, "replica1");
    database = primary.createDatabase();
    for (LayoutSample sample : SAMPLES) {
      OutboxMigration.migrate(database.dataSource(), sample.layout());
    }
  }

  @AfterAll
  void stop() {
    standby.close();
    primary.close();
  }

  @BeforeEach
  void forget() {
    delivered.clear();
    heard.clear();
  }

  private Relay.Builder relay(DataSource dataSource, Layout layout) {
    Publisher publisher =
        Publisher.callback(
            Duration.ofSeconds(1), message -> delivered.add(message.headers().get("event_id")));
    return Relay.builder(dataSource, publisher)
        .layout(layout)
        .lease(Duration.ofSeconds(3))
        .pollInterval(Duration.ofMillis(20))
        .listener(
            new RelayListener() {
              @Override
              public void standbysUnavailable(String reason) {
                heard.add("unavailable");
              }

              @Override
              public void standbysRecovered(Duration outage) {
                heard.add("recovered");
              }
            });
  }

  private Relay started(Layout layout) {
    Relay relay =
        relay(database.dataSource(), layout).waitForStandbys(1, List.of("replica1")).build();
    relay.start();
    return relay;
  }

  private String enqueue(LayoutSample sample, String synchronousCommit) throws SQLException {
    try (Connection tx = database.dataSource().getConnection();
        Statement statement = tx.createStatement()) {
      tx.setAutoCommit(false);
      statement.execute("SET LOCAL synchronous_commit = " + synchronousCommit);
      String id =
          Outbox.builder(sample.layout())
              .build()
              .enqueue(tx, sample.event().apply("a").json("{}").build())
              .id()
              .toString();
      tx.commit();
      return id;
    }
  }

  private String standing(Layout layout) {
    return OutboxAdmin.of(database.dataSource(), layout).relays().stream()
        .flatMap(List::stream)
        .map(row -> row.state() + ": " + row.reason())
        .findFirst()
        .orElse("");
  }

  @Test
  @DisplayName("in every layout an event waits for a standby that is behind, and the relay says so")
  void anEventWaitsForItsStandby() throws SQLException {
    for (LayoutSample sample : SAMPLES) {
      forget();
      try (Relay relay = started(sample.layout())) {
        String first = enqueue(sample, "on");
        await(() -> delivered.contains(first));

        String second;
        try (Frozen behind = Replication.holdBack(primary, "replica1")) {
          assertThat(behind.pid()).isPositive();
          second = enqueue(sample, "on");
          await(() -> relay.state() == Relay.State.STANDBYS_UNAVAILABLE);
          if (sample.equals(Samples.NATIVE)) {
            await(
                () ->
                    standing(sample.layout())
                        .equals(
                            "standbys-unavailable: events wait for 1 of replica1; connected, but behind: replica1"));
          }
          assertThat(delivered).doesNotContain(second);
        }
        await(() -> delivered.contains(second));
        await(() -> relay.state() == Relay.State.RUNNING);
        assertThat(heard).containsExactly("unavailable", "recovered");
      }
    }
  }

  @Test
  @DisplayName("an event whose commit did not wait for the disk is on a standby before it is sent")
  void anAsynchronousCommitIsWaitedForToo() throws SQLException {
    for (LayoutSample sample : SAMPLES) {
      try (Relay relay = started(sample.layout())) {
        String warm = enqueue(sample, "on");
        await(() -> delivered.contains(warm));
        await(() -> !standing(sample.layout()).isEmpty());
        long began = System.nanoTime();
        String id = enqueue(sample, "off");
        await(() -> delivered.contains(id));
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .as("%s; the log would be written to disk after ten seconds", sample.layout().name())
            .isLessThan(Duration.ofSeconds(3));
        assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);

        String[] next = new String[1];
        try (Frozen behind = Replication.holdBack(primary, "replica1")) {
          assertThat(behind.pid()).isPositive();
          next[0] = enqueue(sample, "off");
          await(
              () ->
                  delivered.contains(next[0]) || relay.state() == Relay.State.STANDBYS_UNAVAILABLE);
          assertThat(delivered).doesNotContain(next[0]);
        }
        await(() -> delivered.contains(next[0]));
      }
    }
  }

  @Test
  @DisplayName("closing a relay does not wait for standbys; its events are free at once")
  void closingDoesNotWaitForStandbys() throws SQLException {
    for (LayoutSample sample : List.of(Samples.NATIVE, Samples.LOG)) {
      String id;
      try (Frozen behind = Replication.holdBack(primary, "replica1")) {
        assertThat(behind.pid()).isPositive();
        long closes;
        try (Relay relay = started(sample.layout())) {
          id = enqueue(sample, "on");
          await(() -> relay.state() == Relay.State.STANDBYS_UNAVAILABLE);
          closes = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - closes)).isLessThan(Duration.ofSeconds(2));
        assertThat(delivered).doesNotContain(id);
      }
      long began = System.nanoTime();
      try (Relay next = started(sample.layout())) {
        await(() -> delivered.contains(id));
        assertThat(next.state()).isEqualTo(Relay.State.RUNNING);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    }
  }

  @Test
  @DisplayName("a restart of the database in between costs nothing but a second claim")
  void theDatabaseMayBeRestarted() throws SQLException {
    for (LayoutSample sample : List.of(Samples.NATIVE, Samples.LOG)) {
      try (Relay relay = started(sample.layout())) {
        String first = enqueue(sample, "on");
        await(() -> delivered.contains(first));
        primary.restart();
        await(() -> Replication.walSender(primary, "replica1").isPresent());
        String second = enqueue(sample, "on");
        await(() -> delivered.contains(second));
        assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
      }
    }
  }

  @Test
  @DisplayName("behind a pooler an event waits, also through a restart of the database")
  void anEventWaitsBehindAPooler() throws SQLException {
    Programs.require(PgBouncer.missing());
    Layout layout = Layout.nativeTable();
    HikariConfig config = new HikariConfig();
    try (PgBouncer pooler =
        PgBouncer.builder(primary)
            .setting("pool_mode", "transaction")
            .setting("server_login_retry", "1")
            .start()) {
      config.setJdbcUrl(pooler.jdbcUrl(database.name()));
      config.setUsername(database.username());
      config.setMinimumIdle(0);
      try (HikariDataSource pool = new HikariDataSource(config);
          Relay relay = relay(pool, layout).waitForStandbys(1, List.of("replica1")).build()) {
        relay.start();
        String first = enqueue(Samples.NATIVE, "on");
        await(() -> delivered.contains(first));
        primary.restart();
        await(() -> Replication.walSender(primary, "replica1").isPresent());
        String second;
        try (Frozen behind = Replication.holdBack(primary, "replica1")) {
          assertThat(behind.pid()).isPositive();
          second = enqueue(Samples.NATIVE, "on");
          await(() -> relay.state() == Relay.State.STANDBYS_UNAVAILABLE);
          assertThat(delivered).doesNotContain(second);
        }
        await(() -> delivered.contains(second));
      }
    }
  }

  @Test
  @DisplayName("a user who may not see standbys is told what to grant, and delivers nothing")
  void aUserWhoMayNotSeeStandbysIsTold() throws SQLException {
    Layout layout = Layout.nativeTable();
    PGSimpleDataSource login = new PGSimpleDataSource();
    login.setUrl(database.jdbcUrl());
    login.setUser("watcher");
    execute(database.dataSource(), "CREATE ROLE watcher LOGIN");
    Grants.relay(layout, false, "watcher").forEach(sql -> execute(database.dataSource(), sql));
    try (Relay relay =
        relay(login, layout).retention(null).waitForStandbys(1, List.of("replica1")).build()) {
      relay.start();
      await(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      String id = enqueue(Samples.NATIVE, "on");
      await(
          () ->
              standing(layout)
                  .equals(
                      "database-unavailable: user watcher is not a member of pg_read_all_stats; GRANT pg_read_all_stats TO watcher"));
      assertThat(delivered).doesNotContain(id);

      List<String> grants = Grants.relay(layout, false, true, "watcher");
      assertThat(grants).last().isEqualTo("GRANT pg_read_all_stats TO watcher");
      grants.forEach(sql -> execute(database.dataSource(), sql));
      await(() -> delivered.contains(id));

      execute(database.dataSource(), "REVOKE pg_read_all_stats FROM watcher");
      String later = enqueue(Samples.NATIVE, "on");
      await(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      assertThat(delivered).doesNotContain(later);
    }
    execute(database.dataSource(), "DROP OWNED BY watcher");
    execute(database.dataSource(), "DROP ROLE watcher");
  }

  @Test
  @DisplayName(
      "a log that is delivered exactly once waits too, also through a restart of the relay")
  void aLogThatIsDeliveredExactlyOnceWaits() throws SQLException {
    LayoutSample sample =
        new LayoutSample(
            Layout.log(TableName.of("once_log")), Samples.LOG.event(), Samples.LOG.tenantEvent());
    OutboxMigration.migrate(database.dataSource(), sample.layout());
    OncePublisher broker = new OncePublisher();
    String first = enqueue(sample, "on");
    try (Relay relay = once(broker, sample.layout())) {
      await(() -> broker.delivered().equals(List.of(first)));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
    String second;
    try (Frozen behind = Replication.holdBack(primary, "replica1")) {
      assertThat(behind.pid()).isPositive();
      second = enqueue(sample, "on");
      try (Relay relay = once(broker, sample.layout())) {
        await(() -> relay.state() == Relay.State.STANDBYS_UNAVAILABLE);
        assertThat(broker.delivered()).containsExactly(first);
      }
    }
    try (Relay relay = once(broker, sample.layout())) {
      await(() -> broker.delivered().equals(List.of(first, second)));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  private Relay once(OncePublisher broker, Layout layout) {
    Relay relay =
        Relay.builder(database.dataSource(), broker)
            .layout(layout)
            .lease(Duration.ofSeconds(3))
            .pollInterval(Duration.ofMillis(20))
            .waitForStandbys(1, List.of("replica1"))
            .build();
    relay.start();
    return relay;
  }

  /** A broker that keeps messages and checkpoint together. */
  private static final class OncePublisher implements TransactionalPublisher {
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private @Nullable String checkpoint;

    List<String> delivered() {
      return List.copyOf(delivered);
    }

    @Override
    public synchronized Optional<String> begin() {
      return Optional.ofNullable(checkpoint);
    }

    @Override
    public synchronized Result deliver(List<Message> messages, Supplier<String> next) {
      checkpoint = next.get();
      messages.forEach(message -> delivered.add(message.headers().get("event_id")));
      return new Result.Committed();
    }

    @Override
    public CompletionStage<Delivery> send(Message message) {
      delivered.add(message.headers().get("event_id"));
      return CompletableFuture.completedFuture(Delivery.DELIVERED);
    }

    @Override
    public Optional<String> problem() {
      return Optional.empty();
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }
  }

  private long position() {
    return Long.parseLong(
        text(database.dataSource(), "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")
            .orElseThrow());
  }

  /** Writes a record of some length to the log, and the log to disk; returns where it ends. */
  private long write(long length) {
    execute(
        database.dataSource(),
        "SELECT pg_logical_emit_message(false, '', repeat('x', %d), true)".formatted(length));
    return position();
  }

  /** Fills a page of the log to the last byte; returns where the next one begins. */
  private long fillAPage() {
    while (true) {
      long before = position();
      long left = PAGE - before % PAGE;
      if (left < PAGE / 2) {
        write(left);
        continue;
      }
      long more = write(400) - before - 400;
      long end = write(PAGE - position() % PAGE - more);
      // Unless somebody else has written a record meanwhile.
      if (end % PAGE == HEADER) {
        return end - HEADER;
      }
    }
  }

  @Test
  @DisplayName("where a page of the log is full, the position is one that standbys get to")
  void aFullPageDoesNotWaitForTheNextRecord() {
    StandbyPositions positions =
        new StandbyPositions(
            database.dataSource(), Layout.nativeTable(), UUID.randomUUID(), Set.of("replica1"));
    Positions found;
    long page;
    do {
      page = fillAPage();
      found = positions.read();
    } while (position() != page + HEADER);
    assertThat(found.written()).isEqualTo(page);
    long full = page;
    await(() -> positions.read().of(1) >= full);
    assertThat(positions.read().of(1)).as("nothing was written since").isEqualTo(full);
  }
}
