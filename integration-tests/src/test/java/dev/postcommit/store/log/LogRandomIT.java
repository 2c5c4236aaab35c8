package dev.postcommit.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.RetryPolicy;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Many writers, relays that come and go or are cut off, and a broker that fails at random. The seed
 * is in the failure's message; {@code -Dlog.seed} runs it again, {@code -Dlog.seeds} runs more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogRandomIT {
  private static final Duration LEASE = Duration.ofMillis(600);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private LogTable log;

  @BeforeAll
  void createTable() {
    log = LogTable.create();
    log.execute("CREATE TABLE accounts (key text PRIMARY KEY, version bigint NOT NULL)");
  }

  @AfterAll
  void dropTable() {
    log.close();
  }

  @TestFactory
  @DisplayName("R1, R40: nothing is lost, phantom or reordered, whoever comes and goes")
  Stream<DynamicTest> nothingIsLostPhantomOrReordered() {
    Long one = Long.getLong("log.seed");
    LongStream seeds =
        one != null
            ? LongStream.of(one)
            : LongStream.range(0, Long.getLong("log.seeds", 3)).map(n -> System.nanoTime() + n);
    return seeds.mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
  }

  private void run(long seed) throws Exception {
    log.reset();
    log.execute("TRUNCATE accounts");
    Random random = new Random(seed);
    Ledger ledger = Ledger.create();
    try (RandomWriters writers = new RandomWriters(log, ledger, random.nextLong())) {
      List<Relays.Member> relays = new ArrayList<>();
      Relays made = new Relays(random.nextLong(), ledger);
      while (!writers.areDone()) {
        relays.removeIf(relay -> random.nextInt(3) == 0 && made.stop(relay, random.nextInt(3)));
        while (relays.size() < 2) {
          relays.add(made.start(log, random));
        }
        writers.awaitMore();
      }
      writers.check();
      if (relays.isEmpty()) {
        relays.add(made.start(log, random));
      }
      Awaitility.await("seed " + seed)
          .atMost(PATIENCE)
          .until(() -> ledger.outstanding() == 0 && log.admin().status().pending() == 0);
      made.closeAll();
    }
    log.admin().deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(ledger::dead);
    LedgerReport report = ledger.report();
    assertThat(report.clean()).as("seed %d: %s", seed, report).isTrue();
  }

  /** The relays of one run, and the broker behind them. */
  private static final class Relays {

    /** A relay with a database and a broker of its own, which can be taken from it. */
    private record Member(Relay relay, Cord database, Cord broker) {}

    private final Random random;
    private final Ledger ledger;
    private final List<Member> all = new ArrayList<>();

    Relays(long seed, Ledger ledger) {
      this.random = new Random(seed);
      this.ledger = ledger;
    }

    Member start(LogTable log, Random choice) {
      Cord database = new Cord();
      Cord broker = new Cord();
      Relay relay =
          Relay.builder(database.through(log.dataSource()), publisher(broker))
              .layout(LogTable.LAYOUT)
              .batchSize(1 + choice.nextInt(60))
              .batchesInFlight(1 + choice.nextInt(3))
              .lease(LEASE)
              .pollInterval(Duration.ofMillis(5))
              .drainTimeout(Duration.ofMillis(200))
              .retryPolicy(new RetryPolicy(50, Duration.ofMillis(1), Duration.ofMillis(30)))
              .build();
      relay.start();
      Member member = new Member(relay, database, broker);
      all.add(member);
      return member;
    }

    /** Closes a relay, or cuts it off from its database, or from everything, as if it had died. */
    boolean stop(Member member, int how) {
      if (how == 0) {
        member.relay().close();
      } else {
        if (how == 1) {
          member.broker().cut();
        }
        member.database().cut();
      }
      return true;
    }

    void closeAll() {
      all.forEach(member -> member.relay().close());
    }

    private Publisher publisher(Cord cord) {
      return new Publisher() {
        @Override
        public CompletionStage<Delivery> send(Message message) {
          int dice = dice(100);
          return CompletableFuture.supplyAsync(
              () -> answer(message, dice, cord),
              CompletableFuture.delayedExecutor(dice % 4, TimeUnit.MILLISECONDS));
        }

        @Override
        public Optional<String> problem() {
          return Optional.empty();
        }

        @Override
        public Duration deliveryTimeout() {
          return LEASE.dividedBy(3);
        }
      };
    }

    private synchronized int dice(int sides) {
      return random.nextInt(sides);
    }

    private Delivery answer(Message message, int dice, Cord cord) {
      if (dice < 5) {
        return new Delivery.Retryable("not now", null);
      }
      boolean arrived =
          cord.unlessCut(() -> ledger.delivered(message.headers().get("event_id"), message.key()));
      return arrived ? Delivery.DELIVERED : new Delivery.Retryable("cut off", null);
    }
  }
}
