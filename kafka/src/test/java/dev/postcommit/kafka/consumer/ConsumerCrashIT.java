package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import dev.postcommit.kafka.consumer.ConsumerScene.Kill;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Instances of a consumer are killed while they handle events of which many are delivered twice.
 *
 * <p>The short form runs with every build. A long form:
 *
 * <pre>
 * mvn verify -pl kafka -am -Dit.test=ConsumerCrashIT -Dconsumer.events=50000 -Dconsumer.kills=40
 * </pre>
 *
 * <p>A freeze is not a kill. That an instance that is frozen for longer than its marks in Redis
 * live has no second effect cannot be promised: it may wake up in the middle of a handler whose
 * event another has handled since. It is promised for effects that are in the transaction of the
 * marks.
 */
class ConsumerCrashIT {
  private static final int EVENTS = Integer.getInteger("consumer.events", 5_000);
  private static final int KILLS = Integer.getInteger("consumer.kills", 4);

  private static KafkaServer kafka;

  private final long seed = Long.getLong("consumer.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @BeforeAll
  static void startKafka() {
    kafka = KafkaServer.builder().setting("group.min.session.timeout.ms", "1000").start();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @Test
  @DisplayName("R43, R44: effects in the transaction of the marks happen once, whoever is killed")
  void effectsInTheTransactionHappenOnce() throws Exception {
    try (ConsumerScene scene = new ConsumerScene(kafka, null, EVENTS, random)) {
      List<Kill> kills = new ArrayList<>();
      for (int i = 0; i < KILLS; i++) {
        scene.awaitEffects(moment(i));
        kills.add(scene.kill());
        scene.replace();
      }
      scene.awaitAllDone();

      print("transactional", scene, kills);
      assertOutstanding(kills);
      assertOnce(scene);
      assertThat(scene.duplicates())
          .as("messages recognised as duplicates")
          .isGreaterThanOrEqualTo(scene.traffic().messages() - scene.traffic().sent());
    }
  }

  @Test
  @DisplayName(
      "R42, R44: with marks in Redis only a kill between effect and mark repeats an effect")
  void effectsBesideMarksInRedisHappenTwiceOnlyIfKilledBetween() throws Exception {
    RedisServer redis = RedisServer.shared();
    // The client starts before the traffic, which would not wait for it.
    try (RedisMarks marks = new RedisMarks(redis);
        ConsumerScene scene = new ConsumerScene(kafka, redis, EVENTS, random)) {
      List<Kill> kills = new ArrayList<>();
      Map<Long, Set<String>> windows = new HashMap<>();
      for (int i = 0; i < KILLS; i++) {
        scene.awaitEffects(moment(i));
        Kill kill = scene.kill();
        kills.add(kill);
        windows.put(kill.pid(), marks.unmarked(scene, kill));
        scene.replace();
      }
      scene.awaitAllDone();

      print("marking in Redis", scene, kills);
      assertOutstanding(kills);
      assertExplained(scene, kills, windows);
      assertInOrder(scene);
      assertThat(marks.unmarked(scene, scene.traffic().eventIds())).as("unmarked events").isEmpty();
    }
  }

  /**
   * The frozen instance loses its partitions with a transaction open, and commits it when others
   * have been waiting for the same events.
   */
  @Test
  @DisplayName("R43, R44: an instance frozen past its session has no second effect in transactions")
  void effectsOfAZombiesTransactionHappenOnce() throws Exception {
    try (ConsumerScene scene = new ConsumerScene(kafka, null, EVENTS, random)) {
      scene.awaitEffects(EVENTS / 50);
      ChildProcess zombie = scene.freezeInTransaction();
      List<String> transactions = scene.effects().openTransactions(zombie.pid());
      int handled = scene.effects().events();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                assertThat(scene.members()).as(scene::logs).hasSize(2);
                assertThat(scene.effects().events()).as(scene::logs).isGreaterThan(handled);
              });
      assertThat(scene.effects().openTransactions(zombie.pid())).isEqualTo(transactions);
      zombie.thaw();
      scene.awaitAllDone();

      System.out.printf("frozen in transactions %s, seed %d%n", transactions, seed);
      assertThat(transactions)
          .allSatisfy(xid -> assertThat(scene.effects().ofTransaction(xid)).isPositive());
      assertOnce(scene);
    }
  }

  /** How many events are to have an effect before the next kill. */
  private int moment(int kill) {
    return (int) (EVENTS * (kill + 0.2 + 0.8 * random.nextDouble()) / (KILLS + 1));
  }

  private static void assertOutstanding(List<Kill> kills) {
    assertThat(kills)
        .hasSize(KILLS)
        .allSatisfy(kill -> assertThat(kill.outstanding()).as("%s", kill).isPositive());
  }

  private void assertOnce(ConsumerScene scene) {
    List<String> effects = scene.effects().all().stream().map(Effects.Effect::eventId).toList();
    Set<String> expected = scene.traffic().eventIds();
    assertThat(new HashSet<>(effects)).as("seed %d", seed).isEqualTo(expected);
    assertThat(effects).as("seed %d: effects%n%s", seed, scene.logs()).hasSize(expected.size());
    assertThat(scene.effects().processed()).hasSize(expected.size()).hasSameElementsAs(expected);
    assertInOrder(scene);
  }

  /**
   * The effects that the messages of a key have had are in the order in which the events first came
   * with that key. An event that came with two keys had its effect with one of them.
   */
  private void assertInOrder(ConsumerScene scene) {
    Map<String, Map<String, Integer>> places = scene.traffic().firstPlaces();
    Map<String, Integer> furthest = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (Effects.Effect effect : scene.effects().all()) {
      if (seen.add(effect.eventId())) {
        int place = places.get(effect.key()).get(effect.eventId());
        Integer last = furthest.put(effect.key(), place);
        if (last != null && place <= last) {
          fail("seed %d: out of order is %s; %s", seed, effect, scene.story(effect.key()));
        }
      }
    }
  }

  /**
   * Every effect but the last is that of an instance that was killed before it marked the event.
   */
  private void assertExplained(
      ConsumerScene scene, List<Kill> kills, Map<Long, Set<String>> windows) {
    Map<String, List<Effects.Effect>> byEvent = new HashMap<>();
    for (Effects.Effect effect : scene.effects().all()) {
      byEvent.computeIfAbsent(effect.eventId(), unused -> new ArrayList<>()).add(effect);
    }
    assertThat(byEvent.keySet()).as("seed %d", seed).isEqualTo(scene.traffic().eventIds());
    byEvent.values().removeIf(effects -> effects.size() == 1);
    byEvent.forEach(
        (id, effects) -> {
          for (Effects.Effect effect : effects.subList(0, effects.size() - 1)) {
            assertThat(windows.getOrDefault(effect.pid(), Set.of()))
                .as("seed %d: unmarked when %s ended, of %s", seed, effect.pid(), effects)
                .contains(id);
          }
        });
    for (Kill kill : kills) {
      Set<String> window = windows.get(kill.pid());
      System.out.printf(
          "  instance %d killed at %s, %d events outstanding, between effect and mark of %s%n",
          kill.pid(), kill.at(), kill.outstanding(), window);
      assertThat(byEvent.keySet()).as("seed %d: handled again", seed).containsAll(window);
    }
    System.out.printf(
        "  %d of %d kills fell between effect and mark; %d events had more than one effect%n",
        windows.values().stream().filter(window -> !window.isEmpty()).count(),
        kills.size(),
        byEvent.size());
  }

  private void print(String form, ConsumerScene scene, List<Kill> kills) {
    System.out.printf(
        "%s, seed %d: %d events in %d messages, %d kills, %d messages recognised as duplicates,"
            + " effects by instance %s%n",
        form,
        seed,
        scene.traffic().sent(),
        scene.traffic().messages(),
        kills.size(),
        scene.duplicates(),
        scene.effects().byProcess());
  }
}
