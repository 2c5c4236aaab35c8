package dev.postcommit.bench.measure;

import java.time.Duration;
import java.util.List;

/**
 * The sizes of a run.
 *
 * @param rounds how often each scenario is repeated
 * @param bytes the size of an event's body
 * @param backlog the backlog to drain
 * @param warmUpSeconds seconds of load before anything counts, so that the JVM also compiles code
 *     that runs only every few milliseconds
 * @param rates events a second of a steady load
 * @param latencies events of a steady load whose times are taken, at least
 * @param warmUp seconds of a steady load that do not count
 * @param seconds seconds of a steady load that count, at least
 * @param probeSeconds seconds a rate must be held to count as sustained
 * @param bisections how often the bracket of the highest rate is halved
 * @param enqueueTurns how often contenders take turns at transactions with and without events
 * @param smallBacklog the backlog of scenarios that drain many times
 * @param latencySeconds seconds of load after these drains, with our main layouts; 0 for none
 * @param drains how often our main layouts drain in each of two ways whose difference is small;
 *     other contenders do it less often
 * @param history delivered rows that a table already holds
 * @param outageSeconds the length of the outage of the broker
 */
public record Sizes(
    int rounds,
    int bytes,
    Backlog backlog,
    int warmUpSeconds,
    List<Integer> rates,
    int latencies,
    int warmUp,
    int seconds,
    int probeSeconds,
    int bisections,
    int enqueueTurns,
    Backlog smallBacklog,
    int latencySeconds,
    int drains,
    int history,
    int outageSeconds) {

  /** Threads that write events at a rate. */
  public static final int WRITERS = 16;

  /** The longest wait for missing events after a steady load. */
  public static final Duration PATIENCE = Duration.ofSeconds(3);

  public Sizes withRounds(int value) {
    return new Sizes(
        value,
        bytes,
        backlog,
        warmUpSeconds,
        rates,
        latencies,
        warmUp,
        seconds,
        probeSeconds,
        bisections,
        enqueueTurns,
        smallBacklog,
        latencySeconds,
        drains,
        history,
        outageSeconds);
  }

  /** Seconds of a steady load that count. */
  public int seconds(int rate) {
    return Math.max(seconds, latencies / rate);
  }

  /** Minutes of load while a transaction stays open. */
  public int minutes() {
    return isQuick() ? 1 : Integer.getInteger("bench.minutes", 10);
  }

  /** Rounds of scenarios that take long or matter less. */
  public int fewerRounds() {
    return Math.max(1, rounds - 1);
  }

  /** Rounds of scenarios that any hiccup of the machine affects. */
  public int moreRounds() {
    return rounds == 1 ? 1 : 4 * rounds;
  }

  /**
   * The backlog of drains that are compared with each other. Our main layouts drain a small one in
   * a fraction of a second, too short to see a difference of a tenth, so they get the whole one.
   */
  public Backlog comparedBacklog(Entrant entrant) {
    return entrant.isMain() ? backlog : smallBacklog;
  }

  /** Returns whether these are the sizes of a quick run. */
  public boolean isQuick() {
    return backlog.equals(QUICK.backlog);
  }

  public static final Sizes FULL =
      new Sizes(
          3,
          300,
          new Backlog(200_000, Duration.ofSeconds(8)),
          10,
          List.of(200, 1_000, 3_000),
          1_000,
          1,
          3,
          3,
          3,
          5,
          new Backlog(50_000, Duration.ofSeconds(3)),
          5,
          6,
          5_000_000,
          60);

  public static final Sizes QUICK =
      new Sizes(
          1,
          300,
          new Backlog(10_000, Duration.ofMillis(1_500)),
          1,
          List.of(1_000),
          0,
          1,
          1,
          1,
          0,
          1,
          new Backlog(3_000, Duration.ofSeconds(1)),
          0,
          2,
          100_000,
          5);
}
