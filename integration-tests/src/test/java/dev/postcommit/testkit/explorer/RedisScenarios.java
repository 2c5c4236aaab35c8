package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.inbox.InboxScenario;
import dev.postcommit.testkit.explorer.inbox.InboxScenarios;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** Scenarios of consumers whose marks are in Redis. */
final class RedisScenarios {
  private static final String FIRST = "consumer-1";
  private static final String SECOND = "consumer-2";

  private RedisScenarios() {}

  /** All of them, the small ones first. */
  static List<Scenario> all() {
    return Stream.concat(small().stream(), large().stream()).toList();
  }

  /** Scenarios of which all schedules can be played. */
  static List<Scenario> small() {
    return Stream.of(
            InboxScenarios.two(marking("redis-marks")),
            crash("redis-marks-crash"),
            InboxScenarios.two(marking("redis-marks-lost-reply")).losesReply(FIRST),
            InboxScenarios.two(marking("redis-marks-late")).late(FIRST),
            InboxScenarios.two(markingFirst("redis-first-marks")).late(FIRST),
            InboxScenarios.lostReply(markingFirst("redis-first-marks-lost-reply")))
        .<Scenario>map(InboxScenario.Builder::build)
        .toList();
  }

  /** Scenarios for random schedules. */
  static List<Scenario> large() {
    return Stream.of(
            leases("redis-marks-leases"),
            InboxScenarios.lateCommit(marking("redis-marks-late-failure")),
            // A mark that arrives after the repeated one was taken back is nobody's.
            InboxScenarios.lateCommit(markingFirst("redis-first-marks-late")).mayLose(),
            InboxScenarios.topic(marking("redis-marks-topic"))
                .fails("b", 1)
                .kill(FIRST)
                .losesReply(SECOND)
                .timePasses())
        .<Scenario>map(InboxScenario.Builder::build)
        .toList();
  }

  static InboxScenario.Builder marking(String name) {
    return InboxScenario.marking(name).stores(new RedisInboxStores(RedisMutation.NONE));
  }

  static InboxScenario.Builder markingFirst(String name) {
    return InboxScenario.markingFirst(name).stores(new RedisInboxStores(RedisMutation.NONE));
  }

  /** A consumer is killed, and its lease ends. */
  static InboxScenario.Builder crash(String name) {
    return InboxScenarios.two(marking(name)).kill(FIRST).timePasses();
  }

  /** Three consumers, one of which fails at first, and leases that end while they handle. */
  static InboxScenario.Builder leases(String name) {
    return InboxScenarios.leases(name).stores(new RedisInboxStores(RedisMutation.NONE));
  }
}
