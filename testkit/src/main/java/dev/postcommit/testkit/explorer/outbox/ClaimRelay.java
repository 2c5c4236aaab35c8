package dev.postcommit.testkit.explorer.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.explorer.gate.LaneConnections;
import dev.postcommit.testkit.explorer.oracle.ClaimStart;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.oracle.History.Working;
import dev.postcommit.testkit.explorer.outbox.OutboxScenario.Writer;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A relay that claims some times, on storage of any kind but a log, and does what a relay does
 * around it. Its time passes only between its claims.
 */
final class ClaimRelay implements OutboxPlay.Part {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration LATER = Duration.ofMillis(300);

  private final int claims;
  private final int batch;
  private Duration pause = Duration.ofMillis(10);
  private @Nullable String namespace;
  private boolean isSeen;
  private boolean renews;
  private boolean settlesEach;
  private boolean asksForPause;
  private boolean endsWithLease;
  private List<String> before = List.of();
  private @Nullable String written;

  /** The relay of whose threads this is one; null if it is the only one. */
  private @Nullable ClaimRelay whole;

  /** The store of the current run, and its connections. */
  private @Nullable RelayStore prepared;

  private @Nullable LaneConnections lanes;

  private final AtomicLong clock = new AtomicLong();

  private ClaimRelay(int claims, int batch) {
    this.claims = claims;
    this.batch = batch;
  }

  /** A relay that claims so often up to so many events. */
  static ClaimRelay of(int claims, int batch) {
    return new ClaimRelay(claims, batch);
  }

  /** So much time passes before each of its claims. */
  ClaimRelay pause(Duration time) {
    pause = time;
    return this;
  }

  /** It claims events of one namespace only. */
  ClaimRelay in(String name) {
    namespace = name;
    return this;
  }

  /** It has a session by which others see it, and takes over from those that are gone. */
  ClaimRelay isSeen() {
    isSeen = true;
    return this;
  }

  /** It renews its leases after each message. */
  ClaimRelay renews() {
    renews = true;
    return this;
  }

  /** It settles event by event. */
  ClaimRelay settlesEach() {
    settlesEach = true;
    return this;
  }

  /** It claims nothing while an operator has paused the table. */
  ClaimRelay asksForPause() {
    asksForPause = true;
    return this;
  }

  /** It sends nothing once its lease has ended, as it has a clock of its own. */
  ClaimRelay endsWithLease() {
    endsWithLease = true;
    return this;
  }

  /** It has delivered some events before, so it knows from where on to look. */
  ClaimRelay after(String... events) {
    before = List.of(events);
    return this;
  }

  /** Its application writes an event before it claims. */
  ClaimRelay writing(String event) {
    written = event;
    return this;
  }

  /** It is another thread of a relay that was added before: both use one store. */
  ClaimRelay threadOf(ClaimRelay relay) {
    whole = relay;
    return this;
  }

  @Override
  public void prepare(OutboxPlay run, Stage.Role self) throws SQLException {
    clock.set(0);
    if (whole != null) {
      return;
    }
    lanes = new LaneConnections(self.connections(run.mutation()));
    RelayStore store = Stores.open(lanes, run.layout(), id(self), clock::get);
    for (String event : before) {
      run.write(event);
      run.deliver(survivor(store, run));
    }
    prepared = store;
  }

  private OutboxPlay.Survivor survivor(RelayStore store, OutboxPlay run) {
    return new OutboxPlay.Survivor(store, request(run), () -> clock.addAndGet(LATER.toNanos()));
  }

  private static UUID id(Stage.Role self) {
    return UUID.nameUUIDFromBytes(self.name().getBytes(UTF_8));
  }

  @Override
  public void play(OutboxPlay run, Stage.Role self) throws SQLException {
    if (written != null) {
      Writer writer = run.writer(self);
      writer.begin();
      writer.enqueue(written);
      writer.commit();
    }
    DataSource connections = self.connections(run.mutation());
    ClaimRequest request = request(run);
    ClaimRelay relay = whole == null ? this : whole;
    RelayStore store = Objects.requireNonNull(relay.prepared);
    Objects.requireNonNull(relay.lanes).enter(connections);
    boolean goesOn = false;
    try (RelayPresence presence =
        new RelayPresence(
            run.history(), run.layout(), self, connections, id(self), request, clock::get)) {
      for (int i = 0; i < claims; i++) {
        clock.addAndGet(isSeen ? RelayPresence.GRACE.toNanos() : pause.toNanos());
        if (isSeen) {
          presence.tick();
        }
        if (!isPaused(run, self, connections)) {
          deliver(run, self, store, request);
        }
      }
      goesOn = !run.tables().isHeld();
    } finally {
      if (!goesOn && whole == null) {
        store.close();
      }
    }
    if (goesOn && whole == null) {
      run.survives(survivor(store, run));
    }
  }

  private ClaimRequest request(OutboxPlay run) {
    return ClaimRequest.of(batch, LEASE, run.attempts(namespace == null ? "" : namespace))
        .scopedTo(namespace, null);
  }

  private boolean isPaused(OutboxPlay run, Stage.Role self, DataSource connections) {
    if (!asksForPause) {
      return false;
    }
    try {
      return OutboxAdmin.of(connections, run.layout()).paused().isPresent();
    } catch (PostcommitException e) {
      self.note(String.valueOf(e.getMessage()));
      return true;
    }
  }

  private void deliver(OutboxPlay run, Stage.Role self, RelayStore store, ClaimRequest request) {
    History history = run.history();
    ClaimStart start = ClaimStart.of(history, self);
    Taken taken;
    Claim claim;
    try {
      taken = store.take(request);
      claim = taken.read();
    } catch (PostcommitException e) {
      self.note(String.valueOf(e.getMessage()));
      return;
    }
    if (claim.isEmpty()) {
      return;
    }
    Working working =
        history.claimed(self.name(), claim.events().stream().map(StoredEvent::id).toList(), start);
    try {
      List<Outcome> outcomes = new ArrayList<>();
      Set<String> stopped = new HashSet<>();
      for (StoredEvent event : claim.events()) {
        String key = String.valueOf(event.key());
        if (stopped.contains(key)) {
          outcomes.add(new Outcome.Released(event.id()));
        } else {
          self.step("key " + key, "send " + history.name(event.id()));
          Outcome outcome = send(run, self, event, taken, start.leases());
          if (!goesOn(outcome)) {
            stopped.add(key);
          }
          outcomes.add(outcome);
        }
        if (renews) {
          store.renew(claim, LEASE);
        }
        if (settlesEach) {
          store.settle(claim, outcomes);
          outcomes.clear();
        }
      }
      store.settle(claim, outcomes);
    } catch (LeaseLostException e) {
      self.note("lost its lease");
    } catch (PostcommitException e) {
      self.note(String.valueOf(e.getMessage()));
    } finally {
      history.released(working);
    }
  }

  /** Later events of a key wait for one that is tried again, and not for one that is given up. */
  private static boolean goesOn(Outcome outcome) {
    return outcome instanceof Outcome.Delivered || outcome instanceof Outcome.Dead;
  }

  private Outcome send(
      OutboxPlay run, Stage.Role self, StoredEvent event, Taken taken, long leases) {
    if (endsWithLease && run.history().leases() != leases) {
      return new Outcome.Released(event.id());
    }
    Outcome outcome = run.reply(self.name(), event);
    // A copy that another relay sent may still arrive.
    return outcome instanceof Outcome.Dead dead && !taken.undecided().isZero()
        ? new Outcome.Retry(dead.id(), dead.error(), taken.undecided())
        : outcome;
  }
}
