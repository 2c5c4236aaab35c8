package dev.postcommit.demo.run;

import dev.postcommit.demo.orders.Tally;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.testkit.ledger.Ledger;
import java.time.Duration;
import java.util.Locale;

/** Shows the progress of the demo, and detects its end. */
final class Progress implements AutoCloseable {
  private static final Duration ON_TERMINAL = Duration.ofMillis(200);
  private static final Duration ELSEWHERE = Duration.ofSeconds(2);
  private static final Duration STATUS = Duration.ofMillis(500);

  private final ProgressLine line;
  private final Duration interval;
  private final Tally tally;
  private final Ledger ledger;
  private final RelayFleet relays;
  private final long startedAt = System.nanoTime();
  private final Rate rate = new Rate();
  private long shownAt = startedAt;
  private long statusAt = startedAt;
  private long lastArrivalAt = startedAt;
  private long arrived;
  private long dead;

  Progress(Terminal terminal, Tally tally, Ledger ledger, RelayFleet relays) {
    this.line = new ProgressLine(terminal);
    this.interval = terminal.interactive() ? ON_TERMINAL : ELSEWHERE;
    this.tally = tally;
    this.ledger = ledger;
    this.relays = relays;
  }

  /** Returns whether everything is written and delivered. */
  boolean isDone(OutboxAdmin admin, boolean allWritten) {
    long now = System.nanoTime();
    if (now - statusAt < STATUS.toNanos()) {
      return false;
    }
    statusAt = now;
    Status status = admin.status();
    dead = status.dead();
    long settled = delivered() + dead;
    if (settled != arrived || !allWritten) {
      arrived = settled;
      lastArrivalAt = now;
    }
    return allWritten && status.pending() == 0 && lag() == 0;
  }

  /** Returns the time since the last event was delivered or dead, once everything is written. */
  Duration sinceLastArrival() {
    return Duration.ofNanos(System.nanoTime() - lastArrivalAt);
  }

  void show() {
    long now = System.nanoTime();
    if (now - shownAt >= interval.toNanos()) {
      shownAt = now;
      line.show(text(now));
    }
  }

  /** Shows the last state. */
  void showLast() {
    line.show(text(System.nanoTime()));
  }

  /** Ends the line, so that other output may follow. */
  @Override
  public void close() {
    line.end();
  }

  private String text(long now) {
    return String.format(
        Locale.ROOT,
        "%5.1f s   written %,d   delivered %,d (%,d/s)   lag %,d   dead %,d   relays %d%s",
        (now - startedAt) / 1e9,
        tally.committed(),
        delivered(),
        rate.perSecond(delivered(), now),
        lag(),
        dead,
        relays.size(),
        relays.kills() == 0 ? "" : "   killed " + relays.kills());
  }

  /** Returns the deliveries of committed events that the ledger knows of. */
  private long delivered() {
    return Math.max(0, tally.committed() - ledger.outstanding());
  }

  /** Returns the number of committed events, except poisonous ones, that are not delivered. */
  long lag() {
    return Math.max(0, ledger.outstanding() - tally.poisonous());
  }
}
