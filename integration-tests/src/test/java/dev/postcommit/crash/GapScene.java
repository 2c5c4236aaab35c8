package dev.postcommit.crash;

import static org.awaitility.Awaitility.await;

import dev.postcommit.crash.ArrivalTimes.Gap;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.RelayProcess;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Two relays of one table under a steady load, the faults they meet, and what a consumer sees. */
final class GapScene implements AutoCloseable {
  /** The lease while a relay is frozen; otherwise it is the default. */
  static final Duration SHORT_LEASE = Duration.ofSeconds(5);

  private static final Duration LONG = Duration.ofMinutes(2);

  /** How long servers are away. */
  private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("gaps.outage", 3));

  /** How long keys are watched after a fault at least. */
  private static final Duration WATCH = Duration.ofSeconds(6);

  /** Within this time each key arrives several times, unless something is wrong. */
  private static final Duration SOON = Duration.ofMillis(300);

  private static final Duration STEADY = Duration.ofSeconds(3);
  private static final int MOST_TRIES = 200;

  private final CrashTable table;
  private final PostgresServer postgres = PostgresServer.start();
  private final KafkaServer kafka = KafkaServer.start();
  private final Processes processes = Processes.create();
  private final ArrivalTimes arrivals = new ArrivalTimes();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final OutboxAdmin admin;
  private final Deliveries deliveries;
  private final Future<Void> reading;
  private final SteadyWriters writers;
  private final List<ChildProcess> all = new ArrayList<>();
  private List<ChildProcess> relays;

  GapScene(CrashTable table) {
    this.table = table;
    kafka.createTopic(CrashScene.TOPIC, 4);
    OutboxMigration.migrate(postgres.dataSource(), table.layout());
    admin = OutboxAdmin.of(postgres.dataSource(), table.layout());
    deliveries = new KafkaDeliveries(kafka.bootstrapServers(), CrashScene.TOPIC, arrivals);
    reading = threads.submit(deliveries);
    relays = List.of(launch(), launch());
    writers = new SteadyWriters(table, postgres, arrivals);
  }

  private ChildProcess launch(String... arguments) {
    ChildProcess relay =
        processes
            .java(RelayProcess.class)
            .jvmOptions("-Xmx192m")
            .jvmOptions("-Djava.io.tmpdir=.")
            .arguments("--database-url", postgres.jdbcUrl())
            .arguments("--database-user", postgres.username())
            .arguments("--kafka-bootstrap-servers", kafka.bootstrapServers())
            .arguments("--layout", table.layout().name())
            .arguments(table.arguments().toArray(String[]::new))
            .arguments(arguments)
            .start();
    all.add(relay);
    return relay;
  }

  /** The longest time without an arrival that any key has after a fault. */
  Gap longestGapAfter(GapFault fault) {
    prepare(fault);
    awaitSteady();
    long from = fault.strike(this);
    await()
        .atMost(LONG)
        .until(() -> System.nanoTime() - from > WATCH.toNanos() && arrivesSince(SOON));
    return arrivals.longestGap(from, System.nanoTime());
  }

  /** Both relays run, and with the lease that the fault is measured with. */
  private void prepare(GapFault fault) {
    if (fault == GapFault.FREEZE) {
      List<ChildProcess> last = relays;
      relays = List.of(launchWithShortLease(), launchWithShortLease());
      relays.forEach(GapScene::awaitStarted);
      last.stream().filter(ChildProcess::alive).forEach(GapScene::stop);
    } else {
      relays = relays.size() == 2 ? relays : List.of(relays.get(0), launch());
    }
    relays.forEach(GapScene::awaitStarted);
  }

  private ChildProcess launchWithShortLease() {
    return launch(
        "--lease",
        SHORT_LEASE.toString(),
        "--kafka-config",
        "delivery.timeout.ms=1200",
        "--kafka-config",
        "request.timeout.ms=500",
        "--kafka-config",
        "max.block.ms=200");
  }

  /**
   * Waits until all keys arrive as they are written, and have done so for a while: a relay that
   * started a moment ago is still loading its classes.
   */
  private void awaitSteady() {
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(50))
        .during(STEADY)
        .until(() -> arrivesSince(SOON));
  }

  private boolean arrivesSince(Duration time) {
    return arrivals.keysSince(System.nanoTime() - time.toNanos()) == SteadyWriters.KEYS;
  }

  /** Kills a relay, by SIGKILL, while some keys cannot do without it. */
  long killTheRelayThatWorks() {
    ChildProcess relay = freezeAtWork();
    long now = System.nanoTime();
    relay.kill();
    relays = relays.stream().filter(other -> !other.equals(relay)).toList();
    return now;
  }

  /** Freezes a relay for longer than its lease, while some keys cannot do without it. */
  long freezeTheRelayThatWorks() {
    long[] frozenAt = new long[1];
    ChildProcess relay = freezeAtWork(frozenAt);
    pass(SHORT_LEASE.plusSeconds(3));
    relay.thaw();
    return frozenAt[0];
  }

  private ChildProcess freezeAtWork() {
    return freezeAtWork(new long[1]);
  }

  /**
   * Freezes a relay. If no key misses it, because it stood by or had nothing in flight just then,
   * it goes on and another is tried.
   */
  private ChildProcess freezeAtWork(long[] frozenAt) {
    for (int i = 0; i < MOST_TRIES; i++) {
      ChildProcess relay = relays.get(i % relays.size());
      frozenAt[0] = System.nanoTime();
      relay.freeze();
      pass(SOON);
      if (arrivals.keysSince(frozenAt[0] + SOON.toNanos() / 3) < SteadyWriters.KEYS) {
        return relay;
      }
      relay.thaw();
      await().atMost(LONG).pollDelay(Duration.ZERO).until(() -> arrivesSince(SOON));
    }
    throw new AssertionError("no key missed a relay that was frozen");
  }

  /** Has Postgres end as in a crash and come back; returns when it took connections. */
  long crashPostgres() {
    postgres.stopImmediate();
    pass(OUTAGE);
    postgres.restart();
    return System.nanoTime();
  }

  /** Has Kafka end as in a crash and come back; returns when it answered clients. */
  long crashKafka() {
    kafka.kill();
    pass(OUTAGE);
    kafka.restart();
    return System.nanoTime();
  }

  /** The time is what counts here, not what happens in it. */
  private static void pass(Duration time) {
    await().pollInterval(time).atMost(time.plus(LONG)).until(() -> true);
  }

  private static void awaitStarted(ChildProcess relay) {
    await().atMost(LONG).until(() -> relay.output().contains(" starts on ") || !relay.alive());
    if (!relay.alive()) {
      throw new AssertionError("a relay did not start:\n" + relay.output());
    }
  }

  private static void stop(ChildProcess relay) {
    relay.terminate();
    int exit = relay.awaitExit(LONG);
    if (exit != 0) {
      throw new AssertionError("a relay ended with " + exit + ":\n" + relay.output());
    }
  }

  /** Ends the load, waits for the last event and says what became of all. */
  LedgerReport finish() throws Exception {
    writers.finish();
    await().atMost(LONG).until(() -> arrivals.outstanding() == 0 && admin.status().pending() == 0);
    relays.forEach(GapScene::stop);
    deliveries.finish();
    reading.get(LONG.toSeconds(), TimeUnit.SECONDS);
    admin.deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(arrivals::dead);
    return arrivals.report();
  }

  String logs() {
    StringBuilder logs = new StringBuilder();
    all.forEach(relay -> logs.append(relay.pid()).append(":\n").append(relay.output()));
    return logs.toString();
  }

  @Override
  public void close() {
    writers.close();
    threads.shutdownNow();
    processes.close();
    kafka.close();
    postgres.close();
  }
}
