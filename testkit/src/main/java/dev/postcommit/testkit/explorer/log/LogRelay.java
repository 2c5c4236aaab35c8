package dev.postcommit.testkit.explorer.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.CheckpointedLog.State;
import dev.postcommit.store.Claim;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.explorer.oracle.ClaimStart;
import dev.postcommit.testkit.explorer.oracle.History.Working;
import dev.postcommit.testkit.explorer.outbox.RelayPresence;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One thread of a relay on a log; a relay may have several. */
public final class LogRelay implements AutoCloseable {

  /** What a relay does. */
  @FunctionalInterface
  public interface Part {

    /** Relays. */
    void relay(LogRelay relay);
  }

  /** A claim that is in flight. */
  private record Flight(Claim claim, Working working) {}

  private final LogRun run;
  private final Stage.Role self;
  private final CheckpointedLog store;
  private final ModelBroker.Producer producer;
  private final Deque<Flight> flights = new ArrayDeque<>();
  private @Nullable RelayPresence presence;

  /**
   * A thread of a relay.
   *
   * @param producer how it reaches the broker, if that keeps the checkpoint
   */
  LogRelay(LogRun run, Stage.Role self, CheckpointedLog store, ModelBroker.Producer producer) {
    this.run = run;
    this.self = self;
    this.store = store;
    this.producer = producer;
  }

  /** The same thread, as an actor goes on with it. */
  LogRelay as(Stage.Role role) {
    LogRelay lane = new LogRelay(run, role, store, producer);
    lane.flights.addAll(flights);
    return lane;
  }

  /** Shows itself to others, and takes over from those that have been gone for a while. */
  public LogRelay looksAround() {
    if (presence == null) {
      presence = run.presence(self);
    }
    run.pass(RelayPresence.GRACE);
    presence.tick();
    run.checkCursor();
    return this;
  }

  /** Gives up the session by which others see it, if it has one. */
  @Override
  public void close() {
    if (presence != null) {
      presence.close();
    }
  }

  /** Claims and delivers so often, up to so many events at a time. */
  public LogRelay relays(int rounds, int batch) {
    for (int i = 0; i < rounds; i++) {
      claims(batch).delivers();
    }
    return this;
  }

  /** Claims up to so many events, which are in flight from then on. */
  public LogRelay claims(int batch) {
    ClaimStart start = ClaimStart.of(run.history(), self);
    try {
      Claim claim = store.claim(run.request(batch));
      if (!claim.isEmpty()) {
        flights.add(new Flight(claim, run.claimed(self, claim, start)));
      }
    } catch (PostcommitException e) {
      self.note(String.valueOf(e.getMessage()));
    }
    run.checkCursor();
    return this;
  }

  /** Delivers what was claimed first and is in flight. */
  public LogRelay delivers() {
    return settles(false);
  }

  /** Gives back what was claimed first and is in flight. */
  public LogRelay givesBack() {
    return settles(true);
  }

  private LogRelay settles(boolean isGivenBack) {
    Flight flight = flights.poll();
    if (flight == null) {
      return this;
    }
    try {
      if (isGivenBack) {
        self.step("broker", "the broker cannot be reached");
        // Nothing was sent, so another may have it as soon as it is beside the log.
        run.history().released(flight.working());
        store.settle(flight.claim(), released(flight.claim()));
      } else if (run.isExactlyOnce() && store.isInLog(flight.claim())) {
        deliverInTurn(flight.claim());
      } else {
        store.settle(flight.claim(), outcomes(flight.claim().events()));
      }
    } catch (LeaseLostException e) {
      self.note("lost its lease");
    } catch (PostcommitException e) {
      self.note(String.valueOf(e.getMessage()));
    } finally {
      run.history().released(flight.working());
    }
    run.checkCursor();
    return this;
  }

  private static List<Outcome> released(Claim claim) {
    return claim.events().stream().<Outcome>map(e -> new Outcome.Released(e.id())).toList();
  }

  /** Sends one by one. An event is not sent behind one of its key that failed. */
  private List<Outcome> outcomes(List<StoredEvent> events) {
    List<Outcome> outcomes = new ArrayList<>();
    Set<String> stopped = new HashSet<>();
    for (StoredEvent event : events) {
      String key = String.valueOf(event.key());
      Outcome outcome = new Outcome.Released(event.id());
      if (!stopped.contains(key)) {
        self.step("key " + key, "send " + run.history().name(event.id()));
        outcome = run.replies().to(event);
      }
      if (outcome instanceof Outcome.Retry || outcome instanceof Outcome.Released) {
        stopped.add(key);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  /** As the relay delivers a claim of a log whose checkpoint the broker keeps. */
  private void deliverInTurn(Claim claim) {
    boolean isSettled = false;
    try {
      if (store.state(claim) == State.READY) {
        isSettled = deliverRuns(claim);
      } else {
        store.settle(claim, released(claim));
        isSettled = true;
      }
    } finally {
      if (!isSettled) {
        store.abandon(claim);
      }
    }
  }

  /** Delivers as much as there is between two events that cannot be delivered, and so on. */
  private boolean deliverRuns(Claim claim) {
    List<StoredEvent> events = claim.events();
    Set<String> stopped = new HashSet<>();
    int next = 0;
    while (next < events.size()) {
      List<Outcome> refused = new ArrayList<>();
      List<String> batch = new ArrayList<>();
      for (int i = next; i < events.size(); i++) {
        StoredEvent event = events.get(i);
        boolean waits = stopped.contains(String.valueOf(event.key()));
        if ((waits || run.replies().refuses(event)) != batch.isEmpty() && i > next) {
          break;
        }
        if (waits) {
          refused.add(new Outcome.Released(event.id()));
        } else if (run.replies().refuses(event)) {
          Outcome outcome = run.replies().refusal(event);
          if (outcome instanceof Outcome.Retry) {
            stopped.add(String.valueOf(event.key()));
          }
          refused.add(outcome);
        } else {
          batch.add(event.id());
        }
      }
      if (!refused.isEmpty()) {
        store.settle(claim, refused);
        next += refused.size();
        continue;
      }
      int count = batch.size();
      if (!producer.deliver(batch, () -> store.checkpoint(claim, count))) {
        return false;
      }
      store.settle(claim, batch.stream().<Outcome>map(id -> new Outcome.Delivered(id)).toList());
      next += count;
    }
    return true;
  }

  /** Does not know what became of what it claimed first, as when the broker does not answer. */
  public LogRelay abandons() {
    Flight first = flights.peek();
    if (first != null) {
      store.abandon(first.claim());
      flights.forEach(flight -> run.history().released(flight.working()));
      flights.clear();
    }
    run.checkCursor();
    return this;
  }

  /** Gives up its lead, if nothing is in flight. */
  public LogRelay rests() {
    store.releaseIdle();
    run.checkCursor();
    return this;
  }

  /** Renews the lease of what is in flight. */
  public LogRelay renews() {
    Flight flight = flights.peek();
    if (flight != null) {
      try {
        store.renew(flight.claim(), LogRun.LEASE);
      } catch (PostcommitException e) {
        self.note(String.valueOf(e.getMessage()));
      }
    }
    run.checkCursor();
    return this;
  }

  /** Time passes: so long that the relay does what it does now and then. */
  public LogRelay waits(Duration time) {
    self.step("time", "wait for " + time);
    run.pass(time);
    return this;
  }
}
