package dev.postcommit.pooler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.support.Pooler;
import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.postgres.PgBouncer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What relays and inboxes do about a pooler between them and the server. */
class PoolerIT {
  private static final int EVENTS = 2_000;

  private final Logger logger = (Logger) LoggerFactory.getLogger(Pooler.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final List<String> outages = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void requirePooler() {
    Programs.require(PgBouncer.missing());
  }

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void dropDatabase() {
    logger.detachAppender(lines);
    database.close();
  }

  @Test
  @DisplayName("a relay behind a pooler works with the driver's defaults, and says so once")
  void aRelayWorksWithTheDriversDefaults() throws SQLException {
    try (Bounced bounced = Bounced.to(database)) {
      OutboxMigration.migrate(bounced.dataSource(), Layout.nativeTable());
      write();

      deliverAll(bounced.dataSource());

      assertThat(outages).isEmpty();
      assertThat(lines.list)
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line.getFormattedMessage())
                      .isEqualTo(
                          "there is a pooler before %s: statements are not prepared on the server"
                              .formatted(bounced.pooler().jdbcUrl(database.name()))));
    }
  }

  @Test
  @DisplayName("nothing is said, and statements are prepared, without a pooler")
  void nothingIsSaidWithoutAPooler() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
    write();

    deliverAll(database.dataSource());

    assertThat(lines.list).isEmpty();
    assertThat(Pooler.of(database.dataSource()).stands()).isFalse();
  }

  @Test
  @DisplayName("a pooler that appears later is found by what it breaks, and told once")
  void aPoolerThatAppearsLaterIsFound() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
    try (Bounced bounced = Bounced.to(database)) {
      SwitchedDataSource switched = new SwitchedDataSource(database.dataSource());
      assertThat(OutboxAdmin.of(switched, Layout.nativeTable()).status().pending()).isZero();
      switched.to(bounced.dataSource());
      write();

      deliverAll(switched);

      assertThat(lines.list)
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line.getFormattedMessage())
                      .startsWith("statements are no longer prepared on the server"));
    }
  }

  @Test
  @DisplayName("a pooler that replaces its server connections all the time disturbs nothing")
  void replacedServerConnectionsDisturbNothing() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
    write();
    try (Bounced bounced = Bounced.to(database, "server_lifetime", "1")) {
      deliverAll(bounced.dataSource());
    }
    assertThat(outages).isEmpty();
  }

  @Test
  @DisplayName("a stricter isolation, which a client cannot change behind a pooler, is refused")
  void aStricterIsolationIsRefused() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
    execute(
        "ALTER DATABASE \"%s\" SET default_transaction_isolation = 'repeatable read'"
            .formatted(database.name()));
    try (Bounced bounced = Bounced.to(database)) {
      OutboxAdmin admin = OutboxAdmin.of(bounced.dataSource(), Layout.nativeTable());
      assertThatThrownBy(admin::status)
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining("READ COMMITTED")
          .hasMessageContaining("ALTER ROLE");
    }
  }

  @Test
  @DisplayName("an inbox behind a pooler works with the driver's defaults")
  void anInboxWorksWithTheDriversDefaults() {
    try (Bounced bounced = Bounced.to(database)) {
      InboxMigration.migrate(bounced.dataSource(), TableName.of("processed_events"));
      try (IdempotencyStore store =
          JdbcIdempotencyStore.builder(bounced.dataSource(), "billing").build()) {
        List<CompletableFuture<Boolean>> marked =
            IntStream.range(0, 400)
                .mapToObj(i -> UUID.randomUUID().toString())
                .map(
                    id ->
                        CompletableFuture.supplyAsync(
                            () ->
                                store.checkAndMarkProcessed("billing", id, Duration.ofHours(1))
                                    || !store.checkAndMarkProcessed(
                                        "billing", id, Duration.ofHours(1))))
                .toList();
        assertThat(marked).allSatisfy(wrong -> assertThat(wrong.join()).isFalse());
      }
    }
  }

  @Test
  @DisplayName("a pooler's connections say nothing about a relay, so nobody takes over from it")
  @SuppressWarnings("try") // a relay works without being spoken to
  void nobodyTakesOverBehindAPooler() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
    write();
    CompletableFuture<Delivery> never = new CompletableFuture<>();
    AtomicInteger sent = new AtomicInteger();
    ScriptedPublisher silent =
        new ScriptedPublisher()
            .deliveryTimeout(Duration.ofMinutes(1))
            .completing(
                message -> {
                  sent.incrementAndGet();
                  return never;
                });
    ScriptedPublisher other = new ScriptedPublisher();
    try (Bounced bounced = Bounced.to(database, "server_lifetime", "1");
        Relay holder = started(bounced.dataSource(), silent)) {
      Awaitility.await().until(() -> sent.get() == 50); // the first event of each key
      try (Relay second = started(bounced.dataSource(), other)) {
        OutboxAdmin admin = OutboxAdmin.of(database.dataSource(), Layout.nativeTable());
        Awaitility.await().until(() -> admin.relays().orElseThrow().size() == 2);
        Awaitility.await()
            .during(Duration.ofSeconds(3))
            .atMost(Duration.ofSeconds(10))
            .until(() -> other.accepted().isEmpty());
      }
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT count(*), count(backend_pid) FROM postcommit_outbox_relay")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(1);
        assertThat(row.getInt(2)).isZero();
      }
      never.complete(Delivery.DELIVERED);
    }
  }

  private static Relay started(DataSource dataSource, Publisher publisher) {
    Relay relay = Relay.builder(dataSource, publisher).lease(Duration.ofMinutes(5)).build();
    relay.start();
    return relay;
  }

  private void write() throws SQLException {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(Event.builder("happened").key("k" + i % 50).json("1").build());
    }
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.create().enqueueAll(tx, events);
      tx.commit();
    }
  }

  private void deliverAll(DataSource dataSource) {
    RelayListener listener =
        new RelayListener() {
          @Override
          public void databaseUnavailable(String reason) {
            outages.add(reason);
          }
        };
    OutboxAdmin admin = OutboxAdmin.of(database.dataSource(), Layout.nativeTable());
    try (Relay relay =
        Relay.builder(dataSource, new ScriptedPublisher())
            .batchSize(20)
            .listener(listener)
            .build()) {
      relay.start();
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> admin.status().pending() == 0);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
