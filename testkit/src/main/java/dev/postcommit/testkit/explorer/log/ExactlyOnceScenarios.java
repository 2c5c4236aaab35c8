package dev.postcommit.testkit.explorer.log;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.time.Duration;
import java.util.List;

/** Scenarios of a log whose checkpoint is kept by a broker, with the messages. */
public final class ExactlyOnceScenarios {
  private static final Duration LONG = Duration.ofSeconds(6);

  private ExactlyOnceScenarios() {}

  /** All of them, small ones first. */
  public static List<Scenario> all() {
    return List.of(
        small().build(),
        handover().build(),
        competing().build(),
        outage().build(),
        silence().build(),
        killed().build(),
        refusals().build(),
        leadsAgain().build(),
        leadersInTurn().build());
  }

  /** A writer and a relay. */
  public static LogScenarioBuilder small() {
    return LogScenario.exactlyOnce("once-small")
        .writer("writer-1", "a1")
        .relay("relay-1", relay -> relay.relays(1, 10));
  }

  /** A relay leads after another, of which a transaction may still be on its way. */
  public static LogScenarioBuilder handover() {
    return LogScenario.exactlyOnce("once-handover")
        .writer("writer-1", "a1")
        .relay("relay-1", relay -> relay.relays(1, 1))
        .relay("relay-2", relay -> relay.relays(2, 10))
        .leasesEnd();
  }

  /** Two relays that fence each other. */
  public static LogScenarioBuilder competing() {
    return LogScenario.exactlyOnce("once-competing")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", writer -> writer.begin().takeId().enqueue("b1").commit())
        .relay("relay-1", relay -> relay.relays(3, 1))
        .relay("relay-2", relay -> relay.relays(3, 10))
        .leasesEnd();
  }

  /** The broker does nothing for a while. */
  public static LogScenarioBuilder outage() {
    return LogScenario.exactlyOnce("once-outage")
        .writer("writer-1", "a1", "b1", "a2")
        .writer("writer-2", writer -> writer.begin().takeId().enqueue("b2").commit())
        .relay("relay-1", relay -> relay.claims(1).claims(1).delivers().delivers().relays(3, 1))
        .relay("relay-2", relay -> relay.relays(3, 2))
        .outage(ModelBroker.State.DOWN);
  }

  /** The broker commits, and nobody is told. */
  public static LogScenarioBuilder silence() {
    return LogScenario.exactlyOnce("once-silence")
        .writer("writer-1", "a1", "b1", "a2")
        .writer("writer-2", "b2")
        .relay("relay-1", relay -> relay.relays(4, 1))
        .relay("relay-2", relay -> relay.relays(3, 2))
        .outage(ModelBroker.State.MUTE);
  }

  /** The leader dies at any step. */
  static LogScenarioBuilder killed() {
    return LogScenario.exactlyOnce("once-killed")
        .writer("writer-1", "a1", "a2")
        .writer("writer-2", "b1", "b2")
        .relay("relay-1", relay -> relay.relays(3, 2))
        .relay("relay-2", relay -> relay.relays(3, 2))
        .leasesEnd()
        .kill("relay-1");
  }

  /** Events that the broker refuses leave the log, in their order. */
  static LogScenarioBuilder refusals() {
    return LogScenario.exactlyOnce("once-refusals")
        .writer("writer-1", writer -> writer.begin().enqueue("a1").enqueue("a2").commit())
        .writer("writer-2", "b1", "a3")
        .relay("relay-1", relay -> relay.claims(1).claims(2).delivers().delivers().relays(2, 2))
        .relay("relay-2", relay -> relay.relays(3, 10))
        .fails("a1", 1)
        .rejects("b1")
        .leasesEnd();
  }

  /** A leader reads far ahead of the broker's checkpoint, gives up, and leads again from there. */
  public static LogScenarioBuilder leadsAgain() {
    return LogScenario.exactlyOnce("once-leads-again")
        .writer(
            "writer-1",
            writer ->
                writer
                    .begin()
                    .enqueue("a1")
                    .enqueue("a2")
                    .enqueue("a3")
                    .enqueue("a4")
                    .enqueue("a5")
                    .commit())
        .writer("writer-2", "b1", "b2")
        .relay(
            "relay-1",
            relay ->
                relay
                    .relays(1, 2)
                    .claims(2)
                    .claims(2)
                    .renews()
                    .claims(2)
                    .renews()
                    .waits(LONG)
                    .claims(2)
                    .waits(LONG)
                    .claims(2)
                    .renews()
                    .abandons()
                    .relays(1, 2)
                    .waits(LONG)
                    .relays(1, 2)
                    .waits(LONG)
                    .relays(2, 2)
                    .waits(LONG)
                    .relays(1, 2))
        .relay("relay-2", relay -> relay.relays(2, 2));
  }

  /** Several leaders in turn, with transactions that stay open meanwhile. */
  public static LogScenarioBuilder leadersInTurn() {
    return LogScenario.exactlyOnce("once-leaders-in-turn")
        .writer("writer-1", writer -> writer.begin().takeId().enqueue("a1").enqueue("b1").commit())
        .writer("writer-2", "b2", "a2", "c1")
        .relay("relay-1", relay -> relay.relays(2, 1).rests().relays(2, 2).rests())
        .relay("relay-2", relay -> relay.relays(2, 2).waits(LONG).rests().relays(2, 1))
        .relay("relay-3", relay -> relay.claims(1).abandons().relays(2, 10))
        .leasesEnd();
  }
}
