package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.ledger.LedgerReport;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Relays, database and broker crash while events are written and delivered.
 *
 * <p>The short form runs with every build. The long form (20,000 events, more than 20 kills), also
 * with {@code HeldCrashIT}, {@code LogCrashIT} and {@code PubSubCrashIT}:
 *
 * <pre>mvn verify -pl integration-tests -am -Dit.test=CrashIT -Dcrash.events=25000 -Dcrash.kills=25
 * </pre>
 */
abstract class Crashes {
  private static final int EVENTS = Integer.getInteger("crash.events", 3_000);
  private static final int KILLS = Integer.getInteger("crash.kills", 3);

  private final CrashTable table;
  private final Supplier<CrashBroker> broker;
  private final boolean pooled;

  Crashes(CrashTable table, Supplier<CrashBroker> broker) {
    this(table, broker, false);
  }

  /**
   * Crashes on a table.
   *
   * @param pooled whether relays reach the database through a pooler
   */
  Crashes(CrashTable table, Supplier<CrashBroker> broker, boolean pooled) {
    this.table = table;
    this.broker = broker;
    this.pooled = pooled;
  }

  @Test
  @DisplayName(
      "R16, R18, R19, R22, R28, R40: nothing is lost, phantom or out of order through kills, freezes and"
          + " crashes of database and broker, and duplicates come from them alone")
  void everyCommittedEventArrivesInOrder() throws Exception {
    long seed = Long.getLong("crash.seed", System.nanoTime());
    try (CrashScene scene = new CrashScene(table, broker.get(), 3, pooled, new Random(seed))) {
      scene.write(EVENTS / 8);
      scene.awaitDelivered();
      assertThat(scene.report().duplicates())
          .as("duplicates without a crash%n%s", scene.logs())
          .isZero();

      scene.writeInBackground(EVENTS - EVENTS / 8);
      for (int i = 0; i < KILLS / 2; i++) {
        scene.killARelay();
      }
      scene.crashTheDatabase();
      scene.freezeARelayPastItsLease();
      for (int i = 0; i < KILLS - KILLS / 2; i++) {
        scene.killARelay();
      }
      scene.restartTheBroker();
      scene.awaitWritten();
      scene.awaitDelivered();
      scene.stopRelays();

      LedgerReport report = scene.report();
      System.out.printf(
          "%s, seed %d, %d kills: %s%n", getClass().getSimpleName(), seed, KILLS, report);
      assertThat(report.clean()).as("seed %d: %s%n%s", seed, report, scene.logs()).isTrue();
      assertThat(report.committed()).isGreaterThanOrEqualTo(EVENTS * 8 / 10);
      assertThat(report.duplicates())
          .as("duplicates that crashes explain")
          .isLessThanOrEqualTo(scene.explainableDuplicates());
    }
  }
}
