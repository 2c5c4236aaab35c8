package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Relays that use Kafka's transactions are killed and frozen while events are written and
 * delivered.
 *
 * <p>The short form runs with every build. A long form:
 *
 * <pre>
 * mvn verify -pl integration-tests -am -Dit.test=ExactlyOnceIT -Donce.events=100000 -Donce.kills=20
 * </pre>
 */
class ExactlyOnceIT {
  private static final int EVENTS = Integer.getInteger("once.events", 4_000);
  private static final int KILLS = Integer.getInteger("once.kills", 3);

  private static KafkaServer kafka;

  private final long seed = Long.getLong("once.seed", System.nanoTime());

  @BeforeAll
  static void startKafka() {
    kafka = KafkaServer.start();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @Test
  @DisplayName("consumers of what is committed see each event once, in order, whatever is killed")
  void eachEventArrivesOnce() throws Exception {
    try (OnceScene scene = new OnceScene(kafka, "killed", new Random(seed))) {
      scene.write(EVENTS, Duration.ofSeconds(5L * KILLS));
      int within = 0;
      for (int i = 0; i < KILLS; i++) {
        within += scene.killARelay() ? 1 : 0;
        if (i == KILLS / 3) {
          scene.crashTheDatabase();
        } else if (i == KILLS * 2 / 3) {
          scene.crashTheBroker();
        }
      }
      scene.finish();
      assertOnce(scene, "%d kills, %d within a transaction".formatted(KILLS, within));
    }
  }

  @Test
  @DisplayName("the transaction of a relay that was frozen past its lease comes to nothing")
  void aFrozenRelayIsFenced() throws Exception {
    try (OnceScene scene = new OnceScene(kafka, "frozen", new Random(seed))) {
      scene.write(EVENTS / 2, Duration.ofSeconds(8));
      ChildProcess frozen = scene.freezeWithinTransaction();
      await().atMost(Duration.ofSeconds(30)).until(() -> !scene.isWithinTransaction());
      scene.awaitProgress();
      frozen.thaw();
      scene.write(EVENTS / 4, Duration.ofSeconds(2));
      scene.finish();
      assertOnce(scene, "frozen within a transaction");
      assertThat(scene.aborted()).as("messages that were not committed").isPositive();
    }
  }

  private void assertOnce(OnceScene scene, String what) {
    LedgerReport report = scene.report();
    System.out.printf(
        "seed %d, %s: %s; %d messages were sent and not committed%n",
        seed, what, report, scene.aborted());
    assertThat(report.clean()).as("seed %d: %s%n%s", seed, report, scene.logs()).isTrue();
    assertThat(report.duplicates()).as("seed %d: %s%n%s", seed, report, scene.logs()).isZero();
  }
}
