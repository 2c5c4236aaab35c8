package dev.postcommit.internal.relay.health;

import dev.postcommit.internal.relay.health.Availability.Outage;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.LogText;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a relay's database can be used.
 *
 * <p>A database that cannot be reached fails at everything, and any answer shows that it is back.
 * One that can may still fail at one kind of work, for a missing privilege or a full disk: that is
 * over when this kind of work is done again, whatever else is answered meanwhile. Each is told of
 * once when it begins and once when it ends. Listeners hear of one outage, from the first of these
 * to the last.
 *
 * <p>What is claimed and cannot be settled is sent again. So after a settlement failed, claims are
 * {@linkplain #claimLimit limited} to one event, and to twice as many with each that is settled.
 * The relay can settle again when it is back at its usual number, or nothing is left. Where a claim
 * is gone once its settlement failed, as in held tables, all events would otherwise be sent over
 * and over for as long as it takes.
 */
public final class DatabaseHealth {
  private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

  /** How the SQLSTATEs begin of connections that fail, and of those that the server ends. */
  private static final List<String> UNREACHABLE = List.of("08", "57P", "53300", "28", "3D");

  /** What is done with a database. */
  public enum Work {
    REACH("database unavailable, waiting for it", "database available again"),
    CHECK("the table cannot be used, checking again", "the table can be used"),
    CLAIM("cannot claim, trying again", "can claim again"),
    READ("cannot read events, trying again", "can read events again"),
    SETTLE("cannot settle, trying again", "can settle again"),
    WATCH("cannot see what standbys have, trying again", "can see what standbys have again"),
    SHOW("cannot show that the relay is there, trying again", "can show that the relay is there");

    private final String begins;
    private final String ends;

    Work(String begins, String ends) {
      this.begins = begins;
      this.ends = ends;
    }
  }

  /** What fails since when, when it last did, and why. */
  private record Failing(long since, long last, String reason) {

    Failing again(String why) {
      return new Failing(since, System.nanoTime(), why);
    }
  }

  private final Consumer<String> onLost;
  private final Consumer<Duration> onRegained;
  private final Duration memory;
  private final int mostEvents;
  private final Map<Work, Failing> failing = new EnumMap<>(Work.class);
  private @Nullable Long lostAt;
  private boolean doubtful;

  /** How many batches are being tried to settle again. */
  private int stuck;

  /** How many events a claim may have. */
  private int limit = Integer.MAX_VALUE;

  private boolean settlingFailed;

  /**
   * A database about which nothing is known.
   *
   * @param memory failures of work that was not tried again for this long are forgotten when the
   *     relay is idle
   * @param mostEvents how many events a claim may have as a rule
   */
  public DatabaseHealth(
      Consumer<String> onLost, Consumer<Duration> onRegained, Duration memory, int mostEvents) {
    this.onLost = onLost;
    this.onRegained = onRegained;
    this.memory = memory;
    this.mostEvents = mostEvents;
  }

  public synchronized boolean isAvailable() {
    return lostAt == null;
  }

  /** The present outage, if there is one, with the reason that says most. */
  public synchronized Optional<Outage> outage() {
    if (lostAt == null) {
      return Optional.empty();
    }
    String reason = failing.values().iterator().next().reason();
    return Optional.of(new Outage(reason, since(lostAt)));
  }

  /** Notes that work failed; returns whether the database could not be reached at all. */
  public synchronized boolean failed(Work work, RuntimeException e) {
    boolean unreachable = isUnreachable(e);
    doubtful |= !unreachable;
    failed(unreachable ? Work.REACH : work, String.valueOf(e.getMessage()), false);
    return unreachable;
  }

  /** Notes what keeps the table from being used, and logs each change. */
  public synchronized void misfits(String problems) {
    failed(Work.CHECK, problems, true);
    worked(Work.REACH);
  }

  private void failed(Work work, String reason, boolean tellsOfChanges) {
    @Nullable Failing before = failing.get(work);
    if (before == null || (tellsOfChanges && !reason.equals(before.reason()))) {
      log.warn("{}: {}", work.begins, LogText.line(reason));
    }
    long now = System.nanoTime();
    failing.put(work, before == null ? new Failing(now, now, reason) : before.again(reason));
    if (lostAt == null) {
      lostAt = now;
      onLost.accept(reason);
    }
  }

  /** Notes that work was done, and so that the database is there. */
  public synchronized void worked(Work work) {
    ended(work);
    ended(Work.REACH);
    regained();
  }

  /** Notes that this kind of work does not fail any more, which says nothing of others. */
  public synchronized void over(Work work) {
    ended(work);
    regained();
  }

  /**
   * Notes that a batch could not be settled.
   *
   * @param again whether that is not the first time
   */
  public synchronized void failedToSettle(RuntimeException e, boolean again) {
    stuck += again ? 0 : 1;
    if (!failed(Work.SETTLE, e) && !again) {
      limit = 1;
      settlingFailed = true;
    }
  }

  /**
   * Notes that a batch was settled. One that cannot be is not forgotten over others that can.
   *
   * @param failedBefore whether it could not be settled at first
   */
  public synchronized void settled(boolean failedBefore) {
    stuck -= failedBefore ? 1 : 0;
    if (limit < mostEvents) {
      limit *= 2;
    }
    worked(stuck == 0 && limit >= mostEvents ? Work.SETTLE : Work.REACH);
  }

  /** How many events a claim may have, for what is known of settling. */
  public synchronized int claimLimit() {
    return limit;
  }

  /** Whether a settlement failed since this was last asked: the next claim is not to come soon. */
  public synchronized boolean hasFailedToSettle() {
    boolean had = settlingFailed;
    settlingFailed = false;
    return had;
  }

  /** Whether statements that settle fail, which has been logged. */
  public synchronized boolean isSettlingFailing() {
    return failing.containsKey(Work.SETTLE);
  }

  /** Notes that a batch that could not be settled is given up. */
  public synchronized void gaveUpSettling() {
    stuck--;
  }

  /** Notes that there is nothing to do: what was not tried again may work by now. */
  public synchronized void idle() {
    boolean allIsSettled = limit > 1 && stuck == 0;
    List<Work> old =
        failing.entrySet().stream()
            .filter(
                entry ->
                    (entry.getKey() == Work.SETTLE && allIsSettled)
                        || since(entry.getValue().last()).compareTo(memory) > 0)
            .map(Map.Entry::getKey)
            .toList();
    old.forEach(this::ended);
    regained();
  }

  /** Whether a statement failed since this was last asked: the table may not be what it was. */
  public synchronized boolean isDoubtful() {
    boolean was = doubtful;
    doubtful = false;
    return was;
  }

  private void ended(Work work) {
    @Nullable Failing ended = failing.remove(work);
    if (ended != null) {
      limit = work == Work.SETTLE ? Integer.MAX_VALUE : limit;
      log.info("{} after {}", work.ends, DurationText.spoken(since(ended.since())));
    }
  }

  private void regained() {
    if (lostAt != null && failing.isEmpty()) {
      Duration outage = since(lostAt);
      lostAt = null;
      onRegained.accept(outage);
    }
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  /** Whether there was no connection, or the server ended it. */
  private static boolean isUnreachable(RuntimeException e) {
    return e.getCause() instanceof SQLException cause
        && (cause instanceof SQLTransientConnectionException
            || UNREACHABLE.stream().anyMatch(String.valueOf(cause.getSQLState())::startsWith));
  }
}
