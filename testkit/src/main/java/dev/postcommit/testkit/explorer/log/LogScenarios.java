package dev.postcommit.testkit.explorer.log;

import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.time.Duration;
import java.util.List;

/** Scenarios of a log whose cursor is in its table. */
public final class LogScenarios {
  private static final Duration LONG = Duration.ofSeconds(6);

  private LogScenarios() {}

  /** All of them, small ones first. */
  public static List<Scenario> all() {
    return List.of(
        small().build(),
        handover().build(),
        lateCommits().build(),
        endings().build(),
        dedupeKeys().build(),
        lostLease().build(),
        cutOff().build(),
        takenOver().build(),
        retries().build(),
        DivertedScenarios.replays().build(),
        DivertedScenarios.lanes().build(),
        DivertedScenarios.outageInReplay().build(),
        DivertedScenarios.gate().build(),
        renumbered().build(),
        cachedNumbers().build(),
        restore().build(),
        maintenance().build());
  }

  /** Two writers and a relay. */
  public static LogScenarioBuilder small() {
    return LogScenario.of("log-small")
        .writer("writer-1", "a1")
        .writer("writer-2", "a2")
        .relay("relay-1", relay -> relay.relays(1, 10));
  }

  /** Two relays that lead in turn. */
  public static LogScenarioBuilder handover() {
    return LogScenario.of("log-handover")
        .writer("writer-1", "a1")
        .relay("relay-1", relay -> relay.relays(1, 10).rests())
        .relay("relay-2", relay -> relay.relays(1, 10));
  }

  /** A transaction that has its id for long, and others that commit in another order. */
  public static LogScenarioBuilder lateCommits() {
    return LogScenario.of("log-late-commits")
        .writer("writer-1", writer -> writer.begin().takeId().enqueue("a1").enqueue("b1").commit())
        .writer("writer-2", "a2", "b2")
        .writer("writer-3", writer -> writer.begin().enqueue("c1").enqueue("c2").commit())
        .relay("relay-1", relay -> relay.relays(3, 2).waits(LONG).relays(1, 2))
        .relay("relay-2", relay -> relay.relays(2, 10))
        .leasesEnd();
  }

  /** Transactions that end in each of the ways there are. */
  static LogScenarioBuilder endings() {
    return LogScenario.of("log-endings")
        .writer(
            "writer-1",
            writer ->
                writer
                    .begin()
                    .enqueue("a1")
                    .savepoint()
                    .enqueue("a2")
                    .rollbackToSavepoint()
                    .enqueue("a3")
                    .commit())
        .writer("writer-2", writer -> writer.begin().enqueue("b1").commitInTwoPhases())
        .writer(
            "writer-3",
            writer -> writer.begin().enqueue("b2").rollback().begin().enqueue("b3").commit())
        .relay("relay-1", relay -> relay.relays(2, 2).rests())
        .relay("relay-2", relay -> relay.relays(2, 2));
  }

  /** Writers that wait for the dedupe key of another. */
  public static LogScenarioBuilder dedupeKeys() {
    return LogScenario.of("log-dedupe-keys")
        .writer("writer-1", writer -> writer.begin().enqueue("a1", "once").rollback())
        .writer("writer-2", writer -> writer.begin().enqueue("b1", "once").commit())
        .writer("writer-3", "c1", "c2")
        .relay("relay-1", relay -> relay.relays(3, 10))
        .relay("relay-2", relay -> relay.relays(2, 10));
  }

  /** A leader that is frozen or killed at any step, and another that leads after it. */
  static LogScenarioBuilder lostLease() {
    return LogScenario.of("log-lost-lease")
        .writer("writer-1", "a1", "b1", "a2")
        .writer("writer-2", "a3", "b2")
        .relay("relay-1", relay -> relay.claims(1).claims(1).delivers().delivers().relays(2, 2))
        .relay("relay-2", relay -> relay.relays(3, 10))
        .leasesEnd()
        .kill("relay-1");
  }

  /** A leader that loses its sessions. */
  static LogScenarioBuilder cutOff() {
    return LogScenario.of("log-cut-off")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", "b1")
        .relay("relay-1", relay -> relay.relays(4, 1))
        .relay("relay-2", relay -> relay.relays(2, 10))
        .cutOff("relay-1");
  }

  /** A leader whose session is lost, and which goes on, while another takes over. */
  public static LogScenarioBuilder takenOver() {
    return LogScenario.of("log-taken-over")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", "b1", "a3")
        .relay(
            "relay-1",
            relay ->
                relay
                    .looksAround()
                    .claims(1)
                    .claims(1)
                    .delivers()
                    .renews()
                    .looksAround()
                    .relays(2, 1))
        .relay(
            "relay-2",
            relay ->
                relay
                    .looksAround()
                    .relays(1, 10)
                    .looksAround()
                    .relays(1, 10)
                    .looksAround()
                    .relays(2, 10))
        .cutOff("relay-1");
  }

  /** Events that fail, or whose answer is lost, with others of their key behind them. */
  public static LogScenarioBuilder retries() {
    return LogScenario.of("log-retries")
        .writer("writer-1", "a1", "a2", "b1")
        .writer("writer-2", "a3", "b2")
        .relay("relay-1", relay -> relay.relays(4, 2))
        .relay("relay-2", relay -> relay.waits(LONG).relays(3, 10))
        .fails("a1", 1)
        .losesReply("b1", 1)
        .leasesEnd();
  }

  /** The sequence is altered, and gives out the same numbers as before. */
  static LogScenarioBuilder renumbered() {
    return LogScenario.of("log-renumbered")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", writer -> writer.begin().takeId().enqueue("b1").commit())
        .relay("relay-1", relay -> relay.relays(3, 10))
        .relay("relay-2", relay -> relay.relays(2, 10))
        .statements("operator", "ALTER SEQUENCE postcommit_log_seq NO CYCLE");
  }

  /** Sessions take many numbers at once, so that nobody may lead. */
  public static LogScenarioBuilder cachedNumbers() {
    return LogScenario.of("log-cached-numbers")
        .before("ALTER SEQUENCE postcommit_log_seq CACHE 20")
        .before(
            "UPDATE postcommit_log_cursor SET numbering = pg_relation_filenode('postcommit_log_seq')")
        .cleanUp("ALTER SEQUENCE postcommit_log_seq CACHE 1")
        .writer(
            "writer-1",
            writer ->
                writer
                    .begin()
                    .execute("DISCARD SEQUENCES")
                    .enqueue("a1")
                    .commit()
                    .begin()
                    .enqueue("a2")
                    .commit())
        .writer(
            "writer-2",
            writer ->
                writer
                    .begin()
                    .execute("DISCARD SEQUENCES")
                    .enqueue("b1")
                    .commit()
                    .begin()
                    .enqueue("b2")
                    .commit())
        .relay("relay-1", relay -> relay.relays(3, 10))
        .relay("relay-2", relay -> relay.relays(2, 10));
  }

  /** Rows of another cluster are loaded under running relays; the primary key comes last. */
  public static LogScenarioBuilder restore() {
    return LogScenario.of("log-restore")
        .before(
            "SET lock_timeout = 0;"
                + " ALTER TABLE postcommit_log DROP CONSTRAINT IF EXISTS postcommit_log_pkey")
        .before(
            "UPDATE postcommit_log_cursor SET system = 0, seen = '3:3:', upto = NULL, position = 0")
        .before("SET lock_timeout = '20ms'")
        .cleanUp(Restore.COMPLETED)
        .numbersMayFall()
        .actor("restore", Restore::play)
        .writer("writer-1", "b1")
        .writer("writer-2", "b2")
        .relay("relay-1", relay -> relay.relays(2, 10))
        .relay("relay-2", relay -> relay.relays(2, 10));
  }

  /** Old rows are pruned and a partition is attached meanwhile. */
  public static LogScenarioBuilder maintenance() {
    return LogScenario.of("log-maintenance")
        .before("SET lock_timeout = 0; DROP TABLE IF EXISTS postcommit_log_next")
        .before("SET lock_timeout = '20ms'")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", "b1", "b2")
        .relay("relay-1", relay -> relay.relays(3, 2))
        .relay("relay-2", relay -> relay.relays(2, 10))
        .actor(
            "pruner",
            (run, self) ->
                OutboxAdmin.of(self.connections(), run.layout()).prune(Duration.ZERO, 10))
        .statements(
            "partitions",
            "CREATE TABLE postcommit_log_next (LIKE postcommit_log INCLUDING ALL EXCLUDING IDENTITY)",
            "ALTER TABLE postcommit_log ATTACH PARTITION postcommit_log_next"
                + " FOR VALUES FROM (20000000) TO (30000000)");
  }
}
