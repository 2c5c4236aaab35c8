package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Actor;
import dev.postcommit.DomainEvents;
import dev.postcommit.Outbox;
import dev.postcommit.examples.packfinderz.events.Events;
import dev.postcommit.examples.packfinderz.events.OrderExpired;
import dev.postcommit.examples.packfinderz.licenses.LicenseService;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** A database, a topic behind a proxy, and publishers that are processes of their own. */
final class Stage implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Actor SOMEBODY = new Actor(UUID.randomUUID(), null, "owner");

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final PubSubServer pubsub = PubSubServer.startHere();
  private final PubSubProxy proxy = PubSubProxy.before(pubsub);
  private final Processes processes = Processes.create();
  private final DomainEvents events = DomainEvents.on(Outbox.builder(Tables.OUTBOX).build());
  private final LicenseService licenses = new LicenseService(events);

  Stage() {
    Tables.migrate(database.dataSource());
    pubsub.createTopic(Events.TOPIC);
  }

  DataSource dataSource() {
    return database.dataSource();
  }

  PostgresDatabase database() {
    return database;
  }

  PubSubServer pubsub() {
    return pubsub;
  }

  PubSubProxy proxy() {
    return proxy;
  }

  /** A subscription of its own name, to which all comes that is published from now on. */
  String subscribe() {
    String name = "s" + UUID.randomUUID();
    pubsub.createSubscription(name, Events.TOPIC);
    return name;
  }

  /** The variables of a publisher of this stage. */
  Map<String, String> environment() {
    return OutboxPublisherProcess.environment(
        database.jdbcUrl(), database.username(), pubsub.project(), proxy.emulatorHost());
  }

  /** A publisher, with neither this example's classes nor its tests'. */
  Processes.Builder publisher() {
    return OutboxPublisherProcess.builder(processes, environment()).without(Stage.class);
  }

  /** Starts a publisher, and waits until it works. */
  static ChildProcess started(Processes.Builder publisher) {
    ChildProcess process = publisher.start();
    awaitStart(process);
    return process;
  }

  static void awaitStart(ChildProcess process) {
    await()
        .atMost(PATIENCE)
        .until(() -> !process.alive() || process.output().contains(" starts on outbox_events"));
    assertThat(process.alive()).as(process.output()).isTrue();
  }

  /** Uploads a store's license, and returns the id of the event. */
  String upload(UUID store) throws SQLException {
    UUID license = Transaction.run(dataSource(), tx -> licenses.upload(tx, store, SOMEBODY));
    return eventOf(license);
  }

  /** Uploads a license, and returns the id of the event. */
  String upload() throws SQLException {
    return upload(UUID.randomUUID());
  }

  /** Uploads licenses in one transaction. */
  void uploadMany(int count) throws SQLException {
    many(count, tx -> licenses.upload(tx, UUID.randomUUID(), SOMEBODY));
  }

  /** Tells in one transaction that an order has expired, again and again. */
  void expireOrders(UUID order, int count) throws SQLException {
    OrderExpired payload = new OrderExpired(order, order, order, order, Instant.now(), null);
    many(count, tx -> events.emit(tx, Events.of(payload, order, SOMEBODY)).id());
  }

  private void many(int count, Transaction.Work<UUID> work) throws SQLException {
    List<UUID> ids =
        Transaction.run(
            dataSource(),
            tx -> {
              List<UUID> made = new ArrayList<>();
              for (int i = 0; i < count; i++) {
                made.add(work.in(tx));
              }
              return made;
            });
    assertThat(ids).hasSize(count);
  }

  LicenseService licenses() {
    return licenses;
  }

  /** The last event of a license. */
  String eventOf(UUID license) throws SQLException {
    return Sql.list(
            dataSource(),
            "SELECT id FROM outbox_events WHERE aggregate_id = '%s' ORDER BY id DESC"
                .formatted(license))
        .get(0);
  }

  boolean isPublished(String event) throws SQLException {
    return Sql.number(
            dataSource(),
            "SELECT count(published_at) FROM outbox_events WHERE id = '" + event + "'")
        == 1;
  }

  void awaitPublished(String event) {
    await().atMost(PATIENCE).until(() -> isPublished(event));
  }

  long unpublished() throws SQLException {
    return Sql.number(
        dataSource(), "SELECT count(*) FROM outbox_events WHERE published_at IS NULL");
  }

  void awaitAllPublished() {
    await().atMost(PATIENCE).until(() -> unpublished() == 0);
  }

  /** How many unpublished rows no publisher has in its hands. */
  long free() throws SQLException {
    return Sql.number(
        dataSource(),
        """
        SELECT count(*) FROM
          (SELECT 1 FROM outbox_events WHERE published_at IS NULL FOR UPDATE SKIP LOCKED) AS free""");
  }

  /** How often publishing an event has failed. */
  long attempts(String event) throws SQLException {
    return Sql.number(
        dataSource(), "SELECT attempt_count FROM outbox_events WHERE id = '" + event + "'");
  }

  String lastError(String event) throws SQLException {
    return Sql.list(dataSource(), "SELECT last_error FROM outbox_events WHERE id = '" + event + "'")
        .get(0);
  }

  Instant publishedAt(String event) throws SQLException {
    String micros =
        "SELECT (extract(epoch FROM published_at) * 1000000)::bigint FROM outbox_events";
    return Instant.EPOCH.plus(
        Sql.number(dataSource(), micros + " WHERE id = '" + event + "'"), ChronoUnit.MICROS);
  }

  /** Lets the database cut off everybody, and take nobody in. */
  void admitNobody() throws SQLException {
    admit(false);
    Sql.execute(
        PostgresServer.shared().dataSource(),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
            .formatted(database.name()));
  }

  void admitEverybody() throws SQLException {
    admit(true);
  }

  private void admit(boolean connections) throws SQLException {
    Sql.execute(
        PostgresServer.shared().dataSource(),
        "ALTER DATABASE \"%s\" ALLOW_CONNECTIONS %s".formatted(database.name(), connections));
  }

  @Override
  public void close() {
    processes.close();
    proxy.close();
    pubsub.close();
    database.close();
  }
}
