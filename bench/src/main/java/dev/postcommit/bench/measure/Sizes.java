package dev.postcommit.bench.measure;

import java.time.Duration;
import java.util.List;

/**
 * How much is done in a run.
 *
 * @param rounds how often each scenario is repeated, the contenders taking turns
 * @param bytes the size of an event's body
 * @param backlog the backlog to drain
 * @param warmUpSeconds seconds of a load before anything counts: a JVM is to compile what is called
 *     only once in some milliseconds, too
 * @param rates events a second of a steady load
 * @param latencies events of a steady load whose times are taken, at least
 * @param warmUp seconds of a steady load that do not count
 * @param seconds seconds of a steady load that count, at least
 * @param probeSeconds seconds a rate must be held to count as sustained
 * @param bisections how often the bracket of the highest rate is halved
 * @param enqueueTurns how often contenders take turns at transactions with and without events
 * @param smallBacklog that of drains of which there are many
 * @param latencySeconds seconds of a load beside these drains, of our main layouts; 0 for none
 * @param drains how often our main layouts drain in each of two ways that are to be told apart by
 *     little; others do it less often
 * @param history delivered rows that a table already holds
 * @param outageSeconds how long the broker is away
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

  /** How long what has not arrived is waited for after a steady load. */
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

  /** Minutes of a load beside a transaction that stays open. */
  public int minutes() {
    return isQuick() ? 1 : Integer.getInteger("bench.minutes", 10);
  }

  /** How often that is repeated of which each round takes long, or which matters less. */
  public int fewerRounds() {
    return Math.max(1, rounds - 1);
  }

  /** How often that is repeated which every hiccup of the machine changes. */
  public int moreRounds() {
    return rounds == 1 ? 1 : 4 * rounds;
  }

  /**
   * The backlog of drains that are compared with each other: the whole of our main layouts, whose
   * rates are to be told apart by a tenth, which the fraction of a second that they need for a
   * small one does not allow.
   */
  public Backlog comparedBacklog(Entrant entrant) {
    return entrant.isMain() ? backlog : smallBacklog;
  }

  /** Whether it is the quick form. */
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
