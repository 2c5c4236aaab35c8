package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.Backoff;
import dev.postcommit.internal.relay.health.Availability.Outage;
import dev.postcommit.internal.relay.health.DatabaseHealth.Work;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.internal.relay.health.WakeUp;
import dev.postcommit.internal.store.RelayRow;
import dev.postcommit.internal.store.RelayRow.Identity;
import dev.postcommit.internal.store.RelayRow.Standing;
import dev.postcommit.internal.store.RelaySession.Backend;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.relay.Relay.State;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the row by which a relay shows that it is there, and learns on the way whether operators
 * have paused the table, from a thread of its own. Records its session there, and {@linkplain
 * Takeovers takes over} from relays whose sessions are gone.
 *
 * <p>An outbox table without the tables for that is served all the same.
 */
final class Presence implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Presence.class);

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  /** How often the session is checked. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** At first nothing is claimed before this thread has had an answer. */
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);

  /** How often to search for tables that could not be used. */
  private static final long SEARCH_NANOS = Duration.ofMinutes(1).toNanos();

  private final UUID id;
  private final RelayRow row;
  private final RelayContext context;
  private final Supplier<State> state;
  private final @Nullable Takeovers takeovers;
  private final Poller poller;
  private final WakeUp wakeUp = new WakeUp();
  private final Backoff firstAnswer = new Backoff(FIRST_RETRY, INTERVAL);
  private final Set<String> told = new HashSet<>();
  private final long startedAt = System.nanoTime();
  private volatile boolean stopped;
  private @Nullable Long searchedAt;
  private @Nullable Long shownAt;

  /**
   * The presence of one relay.
   *
   * @param takeovers null if relays on the table hold nothing without a session
   * @param poller is woken up when a pause began or ended, when it is first known that there is
   *     none, and when there is something to take over
   */
  Presence(
      UUID id,
      RelayRow row,
      @Nullable Takeovers takeovers,
      RelayContext context,
      Supplier<State> state,
      Poller poller) {
    this.id = id;
    this.row = row;
    this.takeovers = takeovers;
    this.context = context;
    this.state = state;
    this.poller = poller;
  }

  void stop() {
    stopped = true;
    wakeUp.signal();
  }

  @Override
  public void run() {
    Identity relay = Identity.ofThisProcess(id);
    try {
      while (!stopped) {
        tick(relay);
        boolean known = context.pauseState().isKnown();
        wakeUp.await(known ? pause().toNanos() : firstAnswer.nextNanos());
      }
      row.remove();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (PostcommitException e) {
      log.debug("could not remove the row of a relay; others will", e);
    }
  }

  private void tick(Identity relay) {
    try {
      if (isSearched()) {
        Optional<Backend> session =
            row.isKept() ? context.session().check() : Optional.<Backend>empty();
        if (context.session().isNew(session) || isDue()) {
          show(relay, session);
        }
        if (takeovers != null && mayClaim() && context.session().takeOver(takeovers)) {
          poller.wakeUp();
        }
      }
    } catch (PostcommitException e) {
      log.debug("could not show that the relay is there", e);
      if (context.pauseState().isPaused()) {
        context.database().failed(Work.SHOW, e);
      }
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      log.warn("could not show that the relay is there", e);
    }
  }

  /** A held table is left alone between two signs. */
  private Duration pause() {
    return takeovers == null || !row.isKept() ? INTERVAL : TICK;
  }

  private boolean isDue() {
    return shownAt == null || System.nanoTime() - shownAt >= INTERVAL.toNanos();
  }

  private void show(Identity relay, Optional<Backend> session) {
    long now = System.nanoTime();
    boolean news = context.pauseState().found(row.show(relay, standing(), session));
    shownAt = now;
    if (context.session().record(session)) {
      // The database may have been away, and is there again.
      poller.retryNow();
    }
    noticed();
    boolean released = state.get() == State.RUNNING && context.topics().exchange();
    if (news || released) {
      poller.wakeUp();
    }
  }

  /** A relay that claims nothing leaves take-overs to others. */
  private boolean mayClaim() {
    return state.get() == State.RUNNING;
  }

  /** A paused relay claims nothing, so nobody else would see that the database is back. */
  private void noticed() {
    if (context.pauseState().isPaused()) {
      context.database().worked(Work.SHOW);
    } else {
      context.database().over(Work.SHOW);
    }
  }

  /** Whether it is known which tables can be used; searches for them if it is time. */
  private boolean isSearched() {
    boolean due = searchedAt == null || System.nanoTime() - searchedAt >= SEARCH_NANOS;
    if (due && !row.isWhole()) {
      @Nullable List<String> problems = row.findTables().orElse(null);
      if (problems == null) {
        return false;
      }
      searchedAt = System.nanoTime();
      problems.stream().filter(told::add).forEach(log::info);
    }
    return true;
  }

  private Standing standing() {
    State now = state.get();
    // The database may be there, and its table not fit to be used.
    Optional<Outage> outage =
        switch (now) {
          case BROKER_UNAVAILABLE -> context.broker().outage();
          case DATABASE_UNAVAILABLE -> context.database().outage();
          case STANDBYS_UNAVAILABLE -> context.standbys().outage();
          default -> Optional.empty();
        };
    @Nullable String reason =
        now == State.RUNNING ? context.topics().reason() : outage.map(Outage::reason).orElse(null);
    return new Standing(
        Duration.ofNanos(System.nanoTime() - startedAt),
        now.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        outage.map(Outage::lasting).orElse(Duration.ZERO),
        reason,
        context.delivered().sum());
  }
}
