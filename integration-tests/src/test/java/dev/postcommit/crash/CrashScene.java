package dev.postcommit.crash;

import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.RelayProcess;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.LogStatus;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PgBouncer;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A database, a broker, relay processes, a writer and a consumer, and the accidents they have. */
final class CrashScene implements AutoCloseable {
  static final String TOPIC = "crash";

  private static final int BATCH = 50;
  private static final int LANES = 4;
  private static final Duration LONG = LoggedWait.LONG;
  private static final Duration OFTEN = Duration.ofMillis(5);
  private static final Duration SELDOM = Duration.ofMillis(100);

  private final CrashTable table;
  private final PostgresServer postgres = PostgresServer.start();
  private final @Nullable PgBouncer pooler;
  private final CrashBroker broker;
  private final Processes processes = Processes.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Ledger ledger = Ledger.create();
  private final List<ChildProcess> relays = new ArrayList<>();
  private final List<ChildProcess> all = new ArrayList<>();
  private final Random random;
  private final OutboxAdmin admin;
  private final CrashWriter writer;
  private final Deliveries deliveries;
  private final Future<Void> reading;
  private Future<?> writing;
  private int explainableDuplicates;

  CrashScene(CrashTable table, CrashBroker broker, int relayCount, boolean pooled, Random random) {
    this.table = table;
    this.broker = broker;
    // After a crash of the server it is not to wait for fifteen seconds, as it does by itself.
    pooler =
        pooled
            ? PgBouncer.builder(postgres)
                .setting("server_login_retry", "1")
                .setting("default_pool_size", "40")
                .start()
            : null;
    this.random = random;
    OutboxMigration.migrate(postgres.dataSource(), table.layout());
    admin = OutboxAdmin.of(postgres.dataSource(), table.layout());
    writer = new CrashWriter(table, postgres.dataSource(), ledger, new Random(random.nextLong()));
    deliveries = broker.deliveries(ledger);
    reading = threads.submit(deliveries);
    for (int i = 0; i < relayCount; i++) {
      relays.add(launch());
    }
  }

  private ChildProcess launch() {
    Processes.Builder builder =
        processes
            .java(RelayProcess.class)
            .jvmOptions("-Xmx192m")
            .jvmOptions("-Djava.io.tmpdir=.")
            .arguments(
                "--database-url", pooler == null ? postgres.jdbcUrl() : pooler.jdbcUrl("postgres"))
            .arguments("--database-user", postgres.username())
            .arguments("--layout", table.layout().name())
            .arguments("--lease", broker.lease().toString())
            .arguments("--batch-size", Integer.toString(BATCH))
            .arguments("--batches-in-flight", Integer.toString(LANES));
    broker.connect(builder);
    builder.arguments(table.arguments().toArray(String[]::new));
    ChildProcess relay = builder.start();
    all.add(relay);
    return relay;
  }

  void write(int events) {
    writer.write(events);
  }

  void writeInBackground(int events) {
    writing = threads.submit(() -> writer.write(events));
  }

  void awaitWritten() throws Exception {
    writing.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  /** Waits until every committed event has arrived and is settled. */
  void awaitDelivered() {
    LoggedWait.until(
        "every event delivered",
        SELDOM,
        all,
        () -> ledger.outstanding() == 0 && admin.status().pending() == 0);
  }

  /** Kills a relay that is at work, by SIGKILL, and starts another one. */
  void killARelay() {
    awaitProgress();
    int victim = victim();
    relays.get(victim).kill();
    relays.set(victim, launch());
    explainableDuplicates += LANES * BATCH;
  }

  /** Any relay; where one leads and the others stand by, mostly the one that leads. */
  private int victim() {
    int any = random.nextInt(relays.size());
    @Nullable LogStatus log = admin.status().log();
    if (log == null || random.nextInt(4) == 0) {
      return any;
    }
    long leader =
        admin.relays().orElse(List.of()).stream()
            .filter(relay -> relay.id().equals(log.leader()))
            .mapToLong(RelayPresence::pid)
            .findFirst()
            .orElse(-1);
    return IntStream.range(0, relays.size())
        .filter(i -> relays.get(i).pid() == leader)
        .findFirst()
        .orElse(any);
  }

  /** Stops the database as a crash does, and starts it again. */
  void crashTheDatabase() {
    awaitProgress();
    postgres.stopImmediate();
    postgres.restart();
    // Settlements of its last moments may be forgotten, of every relay.
    explainableDuplicates += 2 * relays.size() * LANES * BATCH;
  }

  /** Makes the broker end, and come back. */
  void restartTheBroker() {
    awaitProgress();
    broker.crash();
    explainableDuplicates += relays.size() * LANES * BATCH;
  }

  /** Freezes a relay until another has taken over its events, then lets it go on. */
  void freezeARelayPastItsLease() {
    awaitProgress();
    ChildProcess frozen = relays.get(victim());
    frozen.freeze();
    long frozenAt = System.nanoTime();
    long enough = broker.lease().plusSeconds(2).toNanos();
    await().atMost(LONG).until(() -> System.nanoTime() - frozenAt > enough);
    frozen.thaw();
    explainableDuplicates += LANES * BATCH;
  }

  /** Waits until the relays are at work: some more messages have come since. */
  private void awaitProgress() {
    int before = deliveries.messages();
    int wanted = 20 + random.nextInt(150);
    LoggedWait.until(
        wanted + " more messages",
        OFTEN,
        all,
        () -> deliveries.messages() > before + wanted || writing.isDone());
  }

  /** Stops the relays in order, also those that were started so late that they did nothing. */
  void stopRelays() throws Exception {
    relays.forEach(CrashScene::awaitStarted);
    relays.forEach(ChildProcess::terminate);
    for (ChildProcess relay : relays) {
      int exit = relay.awaitExit(LONG);
      if (exit != 0) {
        throw new AssertionError("a relay ended with " + exit + ":\n" + relay.output());
      }
    }
    deliveries.finish();
    reading.get(LONG.toSeconds(), TimeUnit.SECONDS);
    admin.deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(ledger::dead);
  }

  /** Waits until a relay says what it does; before that, a signal ends its JVM as any other. */
  private static void awaitStarted(ChildProcess relay) {
    LoggedWait.until(
        "a relay that has started",
        SELDOM,
        List.of(relay),
        () -> relay.output().contains(" at jdbc:postgresql:") || !relay.alive());
  }

  LedgerReport report() {
    return ledger.report();
  }

  int explainableDuplicates() {
    return explainableDuplicates;
  }

  String logs() {
    return LoggedWait.logs(all);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    processes.close();
    broker.close();
    if (pooler != null) {
      pooler.close();
    }
    postgres.close();
  }
}
