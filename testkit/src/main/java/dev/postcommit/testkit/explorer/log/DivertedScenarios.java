package dev.postcommit.testkit.explorer.log;

import java.time.Duration;

/** Scenarios of events that left a log, and are delivered from the table beside it. */
public final class DivertedScenarios {
  private static final Duration LONG = Duration.ofSeconds(6);
  private static final int GATE = 4711;

  private DivertedScenarios() {}

  /** An operator replays what was rejected, while more of its key comes. */
  static LogScenarioBuilder replays() {
    return LogScenario.of("log-replays")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", "a3", "a4")
        .relay("relay-1", relay -> relay.relays(3, 1).waits(LONG).relays(2, 1))
        .relay("relay-2", relay -> relay.relays(2, 10))
        .rejects("a1", 1)
        .replay("operator");
  }

  /** Two threads of one relay: one gives back an event while the other reads on. */
  static LogScenarioBuilder lanes() {
    return LogScenario.of("log-lanes")
        .writer("writer-1", writer -> writer.begin().enqueue("a1").enqueue("a2").commit())
        .writer("writer-2", "a3")
        .lane("lane-1", "relay-1", relay -> relay.relays(4, 1))
        .lane("lane-2", "relay-1", relay -> relay.claims(1).delivers().claims(1).givesBack())
        .relay("relay-2", relay -> relay.relays(1, 10))
        .rejects("a1", 1)
        .replay("operator");
  }

  /**
   * An operator replays a dead event, while the broker is out of reach for a later one of its key:
   * one thread delivers what is replayed, and the other gives back what it could not send.
   */
  public static LogScenarioBuilder outageInReplay() {
    return LogScenario.of("log-outage-in-replay")
        .rejects("a1", 1)
        .backlog("a1", "a2", "a3")
        // First, so that the run in this order is a long one: a search goes by its length.
        .replay("operator")
        .lane("lane-1", "relay-1", relay -> relay.relays(4, 10))
        .lane("lane-2", "relay-1", LogRelay::givesBack)
        .beforehand("lane-2", relay -> relay.relays(1, 1).claims(1));
  }

  /** Leaders in turn claim diverted events, whose claims are written behind a gate. */
  public static LogScenarioBuilder gate() {
    return LogScenario.of("log-gate")
        .setUp(
            """
            CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              PERFORM pg_advisory_xact_lock(%d);
              RETURN NEW;
            END $$"""
                .formatted(GATE))
        .setUp(
            """
            CREATE TRIGGER gate BEFORE INSERT ON postcommit_log_diverted_claim
              FOR EACH ROW EXECUTE FUNCTION wait_at_gate()""")
        .fails("a1", 1)
        .backlog("a1", "a2")
        .relay("relay-1", relay -> relay.relays(1, 10))
        .relay("relay-2", relay -> relay.relays(1, 10))
        .beforehand("relay-1", relay -> relay.relays(1, 2))
        .actor("gate", LogFaults.holds("SELECT pg_advisory_xact_lock(" + GATE + ")"))
        .leasesEnd();
  }
}
