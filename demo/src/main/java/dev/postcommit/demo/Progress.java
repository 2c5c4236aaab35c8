package dev.postcommit.demo;

import dev.postcommit.server.terminal.ProgressLine;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.testkit.Ledger;
import java.time.Duration;
import java.util.Locale;

/** Shows how far the demo is, and knows when it is done. */
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

  /** Whether all is written, and nothing of it is left to deliver. */
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

  /** How long ago the last event was delivered or given up, once all is written. */
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

  /** Leaves the line, so that other output may follow. */
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

  /** Deliveries of committed events; those of which the ledger has not heard yet come later. */
  private long delivered() {
    return Math.max(0, tally.committed() - ledger.outstanding());
  }

  /** Events that are committed, not poisonous, and not delivered. */
  long lag() {
    return Math.max(0, ledger.outstanding() - tally.poisonous());
  }
}
