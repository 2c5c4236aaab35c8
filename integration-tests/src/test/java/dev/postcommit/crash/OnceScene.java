package dev.postcommit.crash;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/** Two relay processes on a log, writers, and consumers that read what is committed and all. */
final class OnceScene implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final Duration LONG = LoggedWait.LONG;
  private static final Duration OFTEN = Duration.ofMillis(2);
  private static final Duration SELDOM = Duration.ofMillis(20);

  private final PostgresServer postgres = PostgresServer.start();
  private final KafkaServer kafka;

  /** The topic, and the transactional id. */
  private final String name;

  private final Processes processes = Processes.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Ledger ledger = Ledger.create();
  private final Ledger everything = Ledger.create();
  private final Random random;
  private final OutboxAdmin admin;
  private final Admin cluster;
  private final Deliveries deliveries;
  private final Deliveries sent;
  private final List<Future<?>> reading = new ArrayList<>();
  private final List<Future<?>> writing = new ArrayList<>();
  private final List<ChildProcess> relays = new ArrayList<>();
  private final List<ChildProcess> all = new ArrayList<>();

  OnceScene(KafkaServer kafka, String name, Random random) {
    this.kafka = kafka;
    this.name = name;
    this.random = random;
    kafka.createTopic(name, 4);
    OutboxMigration.migrate(postgres.dataSource(), Layout.log());
    admin = OutboxAdmin.of(postgres.dataSource(), Layout.log());
    cluster = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    deliveries = KafkaDeliveries.committed(kafka.bootstrapServers(), name, ledger);
    sent = new KafkaDeliveries(kafka.bootstrapServers(), name, everything);
    reading.add(threads.submit(deliveries));
    reading.add(threads.submit(sent));
    relays.add(launch());
    relays.add(launch());
  }

  private ChildProcess launch() {
    ChildProcess relay =
        processes
            .java(OnceRelay.class)
            .jvmOptions("-Xmx160m", "-XX:TieredStopAtLevel=1")
            .arguments(postgres.jdbcUrl(), postgres.username(), kafka.bootstrapServers(), name)
            .start();
    all.add(relay);
    return relay;
  }

  /** Writes events, for about so long. */
  void write(int events, Duration time) {
    // A transaction has two or three.
    Duration pace = time.multipliedBy(WRITERS).multipliedBy(5).dividedBy(2L * events);
    for (int i = 0; i < WRITERS; i++) {
      writing.add(
          threads.submit(
              new OnceWriter(
                  name,
                  "writer-" + writing.size(),
                  events / WRITERS,
                  pace,
                  postgres.dataSource(),
                  ledger,
                  new Random(random.nextLong()))));
    }
  }

  /** Kills a relay by SIGKILL, and starts another; returns whether it was within a transaction. */
  boolean killARelay() throws Exception {
    awaitProgress();
    int victim = random.nextInt(4) == 0 ? random.nextInt(relays.size()) : leader();
    relays.get(victim).kill();
    boolean within = isWithinTransaction();
    relays.set(victim, launch());
    return within;
  }

  /** Freezes the relay at work within a transaction; writes on until it has met one. */
  ChildProcess freezeWithinTransaction() throws Exception {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (System.nanoTime() < deadline) {
      if (isAllWritten()) {
        write(1_000, Duration.ofSeconds(4));
      }
      awaitProgress();
      ChildProcess relay = relays.get(leader());
      relay.freeze();
      if (isWithinTransaction()) {
        return relay;
      }
      relay.thaw();
    }
    throw new AssertionError("no relay was frozen within a transaction\n" + logs());
  }

  void crashTheDatabase() {
    awaitProgress();
    postgres.stopImmediate();
    postgres.restart();
  }

  void crashTheBroker() {
    awaitProgress();
    kafka.kill();
    kafka.restart();
  }

  /** Waits until some more events have arrived. */
  void awaitProgress() {
    int before = deliveries.messages();
    int wanted = 20 + random.nextInt(200);
    LoggedWait.until(
        wanted + " more messages",
        OFTEN,
        all,
        () ->
            deliveries.messages() > before + wanted
                || (isAllWritten() && ledger.outstanding() == 0));
  }

  private boolean isAllWritten() {
    return writing.stream().allMatch(Future::isDone);
  }

  /** Whether a transaction is open; none ever was before the first relay has begun. */
  boolean isWithinTransaction() throws Exception {
    try {
      return cluster
              .describeTransactions(List.of(name))
              .description(name)
              .get(10, TimeUnit.SECONDS)
              .state()
          == TransactionState.ONGOING;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TransactionalIdNotFoundException) {
        return false;
      }
      throw e;
    }
  }

  /** The index of the relay that has the lease. */
  private int leader() {
    int[] leader = {-1};
    LoggedWait.until(
        "a relay that has the lease",
        SELDOM,
        all,
        () -> {
          String owner = OnceRelay.ID + owner();
          for (int i = 0; i < relays.size(); i++) {
            if (relays.get(i).output().contains(owner)) {
              leader[0] = i;
            }
          }
          return leader[0] >= 0;
        });
    return leader[0];
  }

  private String owner() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT owner FROM postcommit_log_cursor")) {
      row.next();
      return row.getString(1);
    }
  }

  /** Waits until every committed event has arrived, and stops everything. */
  void finish() throws Exception {
    for (Future<?> writer : writing) {
      writer.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
    LoggedWait.until(
        "every event delivered",
        SELDOM,
        all,
        () -> ledger.outstanding() == 0 && admin.status().pending() == 0);
    relays.forEach(ChildProcess::terminate);
    relays.forEach(relay -> relay.awaitExit(LONG));
    deliveries.finish();
    sent.finish();
    for (Future<?> reader : reading) {
      reader.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  LedgerReport report() {
    return ledger.report();
  }

  /** How many messages were sent that are not committed. */
  int aborted() {
    return sent.messages() - deliveries.messages();
  }

  String logs() {
    return LoggedWait.logs(all);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    processes.close();
    cluster.close(Duration.ZERO);
    postgres.close();
  }
}
