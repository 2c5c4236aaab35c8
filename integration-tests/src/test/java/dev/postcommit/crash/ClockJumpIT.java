package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.fault.JumpingClock;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Clocks that are set forwards and back while relays are at work. */
@EnabledIfEnvironmentVariable(
    named = "POSTCOMMIT_TEST_ALL",
    matches = "true",
    disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it")
class ClockJumpIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<Duration> JUMPS = List.of(HOUR, Duration.ZERO, HOUR.negated());

  /** They have no number that rises with each event. */
  private static final Set<CrashTable> ORDERED_BY_TIME =
      Set.of(CrashTable.LOGISTIK, CrashTable.MODKIT);

  private static final List<CrashTable> TABLES =
      List.of(CrashTable.NATIVE, CrashTable.LOG, CrashTable.LOGISTIK, CrashTable.MODKIT);

  @BeforeAll
  static void requireClock() {
    Programs.require(JumpingClock.missing());
  }

  @Test
  @DisplayName("a relay whose clock jumps by an hour goes on")
  void theClockOfARelay() throws Exception {
    for (CrashTable table : TABLES) {
      relayJumps(table);
    }
  }

  private static void relayJumps(CrashTable table) throws Exception {
    try (JumpingClock clock = JumpingClock.create();
        PostgresServer postgres = PostgresServer.start();
        KafkaServer kafka = KafkaServer.start();
        WorkingScene scene = new WorkingScene(table, postgres, kafka)) {
      scene.relay(clock.environment());
      scene.keepWriting();
      scene.awaitMore();
      for (Duration ahead : JUMPS) {
        clock.set(ahead);
        awaitMore(scene, ahead);
      }
      scene.finish();
    }
  }

  @Test
  @DisplayName("messages that Kafka refuses for the relay's clock wait, and none is dead")
  void theClockOfARelayIsTooFarAhead() throws Exception {
    try (JumpingClock clock = JumpingClock.create();
        PostgresServer postgres = PostgresServer.start();
        KafkaServer kafka = KafkaServer.start();
        WorkingScene scene = new WorkingScene(CrashTable.NATIVE, postgres, kafka)) {
      ChildProcess relay = scene.relay(clock.environment());
      scene.keepWriting();
      scene.awaitMore();
      clock.set(Duration.ofHours(2));
      String refuses = "topic %s refuses messages for their time".formatted(CrashScene.TOPIC);
      await().atMost(PATIENCE).until(() -> relay.output().contains(refuses));
      await().atMost(PATIENCE).until(() -> scene.command("status").contains(refuses));
      assertThat(scene.command("topics")).contains(refuses);

      // What was sent with the first of them is held back, and no producer is replaced at once.
      assertThat(relay.output().lines().filter(line -> line.contains("broker unavailable")))
          .as(relay.output())
          .hasSizeLessThanOrEqualTo(2);

      clock.set(Duration.ZERO);
      awaitMore(scene, Duration.ZERO);
      scene.finish();
      assertThat(scene.query("SELECT max(attempts) FROM postcommit_outbox")).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("two relays go on though the clock of the database jumps by an hour")
  void theClockOfTheDatabase() throws Exception {
    for (CrashTable table : TABLES) {
      databaseJumps(table);
    }
  }

  private static void databaseJumps(CrashTable table) throws Exception {
    try (JumpingClock clock = JumpingClock.create();
        PostgresServer postgres = withClock(clock);
        KafkaServer kafka = KafkaServer.start();
        WorkingScene scene = new WorkingScene(table, postgres, kafka)) {
      scene.relay(Map.of());
      scene.relay(Map.of());
      scene.keepWriting();
      scene.awaitMore();
      Duration before = Duration.ZERO;
      for (Duration ahead : JUMPS) {
        if (ahead.compareTo(before) < 0 && ORDERED_BY_TIME.contains(table)) {
          // What is written after the jump would seem older than what still waits.
          scene.whileIdle(() -> clock.set(ahead));
        } else {
          clock.set(ahead);
        }
        awaitMore(scene, ahead);
        before = ahead;
      }
      scene.finish();
    }
  }

  private static void awaitMore(WorkingScene scene, Duration ahead) {
    long begin = System.nanoTime();
    scene.awaitMore();
    scene.awaitMore();
    System.out.printf("%s: %d ms%n", ahead, (System.nanoTime() - begin) / 1_000_000);
  }

  private static PostgresServer withClock(JumpingClock clock) {
    PostgresServer.Builder builder = PostgresServer.builder();
    clock.environment().forEach(builder::environment);
    return builder.start();
  }
}
