package dev.postcommit.testkit.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.internal.store.PlacedLog;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.testkit.explorer.History.Working;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One run of a {@link LogScenario}. */
public final class LogRun implements Scenario.Play {
  static final Duration LEASE = Duration.ofHours(1);
  private static final String LOCKED = "55P03";
  private static final int LAST_CLAIMS = 12;

  private final LogScenario scenario;
  private final Stage stage;
  private final History history = new History();
  private final Map<String, Stage.Role> roles = new HashMap<>();
  private final Map<String, OneRelay> relays = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();
  private final AtomicLong nanos = new AtomicLong();
  private final CursorCheck cursor;
  private final ModelBroker broker;
  private long ids;

  LogRun(LogScenario scenario, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    this.cursor = new CursorCheck(scenario.layout(), history);
    this.broker = new ModelBroker(history::arrived, this::recorded);
  }

  /** A relay, which one or more actors play. */
  private final class OneRelay {
    private final LaneConnections connections = new LaneConnections(stage.unwatchedConnections());
    private final Map<Thread, Stage.Role> lanes = new ConcurrentHashMap<>();
    private final ModelBroker.Producer producer =
        broker.new Producer(this::self, scenario.brokerFault());
    private final PlacedLog store;

    private Stage.Role self() {
      return Objects.requireNonNull(lanes.get(Thread.currentThread()));
    }

    private void enter(Stage.Role role) {
      lanes.put(Thread.currentThread(), role);
    }

    OneRelay(String name) {
      this.store =
          scenario
              .wrapper()
              .apply(
                  Stores.open(
                      connections,
                      scenario.layout(),
                      UUID.nameUUIDFromBytes(name.getBytes(UTF_8)),
                      isPlaced() ? producer : null,
                      nanos::get));
    }
  }

  void add(String who, Stage.Part part) {
    roles.put(who, stage.actor(who, part));
  }

  /** Has an actor play a relay, or one thread of it. */
  void relay(Stage.Role role, String relay, LogRelay.Part part) {
    OneRelay mine;
    synchronized (relays) {
      mine = relays.computeIfAbsent(relay, OneRelay::new);
    }
    mine.connections.enter(role.connections(mutation()));
    mine.enter(role);
    part.relay(new LogRelay(this, role, () -> mine.store, mine.producer));
  }

  /** An actor of this run. */
  public Stage.Role role(String who) {
    return Objects.requireNonNull(roles.get(who), who);
  }

  /** The layout of its table. */
  public Layout layout() {
    return scenario.layout();
  }

  OutboxTables tables() {
    return scenario.tables();
  }

  History history() {
    return history;
  }

  ModelBroker broker() {
    return broker;
  }

  UnaryOperator<String> mutation() {
    return scenario.mutation();
  }

  int maxAttempts() {
    return scenario.maxAttempts();
  }

  boolean isPlaced() {
    return scenario.isPlaced();
  }

  Event.Builder event(String name) {
    return scenario.sample().event().apply(name.substring(0, 1));
  }

  synchronized UUID nextId() {
    return new UUID(0x0192_0000_0000_7000L + (++ids << 16), 0x8000_0000_0000_0000L + ids);
  }

  /** Moves the clock of all relays on. */
  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** A claim is live as long as its lease is; one on the log lasts as long as the lead. */
  Working claimed(Stage.Role relay, Claim claim) {
    List<String> events = claim.events().stream().map(StoredEvent::id).toList();
    boolean isLive = claim.token() > 0 || isLeading(relay.name());
    return history.claimed(relay.name(), isLive ? events : List.of(), history.leases());
  }

  private synchronized boolean isLeading(String relay) {
    try {
      return cursor.isLeading(
          stage.unwatched(), UUID.nameUUIDFromBytes(scenario.relayOf(relay).getBytes(UTF_8)));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean refuses(StoredEvent event) {
    LogScenario.@Nullable Reply reply = scenario.replies().get(history.name(event.id()));
    return reply != null && failures.getOrDefault(event.id(), 0) < reply.failures();
  }

  /** What becomes of an event that the broker does not take. */
  synchronized Outcome refusal(StoredEvent event) {
    LogScenario.Reply reply =
        Objects.requireNonNull(scenario.replies().get(history.name(event.id())));
    failures.merge(event.id(), 1, Integer::sum);
    if (reply.isRejection()) {
      history.mayDie(event.id());
      return new Outcome.Dead(event.id(), "rejected");
    }
    if (reply.arrivesAnyway()) {
      history.arrived(event.id());
    }
    return new Outcome.Retry(event.id(), "not now", Duration.ZERO);
  }

  /** Sends an event; returns what became of it. */
  Outcome reply(StoredEvent event) {
    if (refuses(event)) {
      return refusal(event);
    }
    history.arrived(event.id());
    return new Outcome.Delivered(event.id());
  }

  private void recorded(String place) {
    checked(connection -> cursor.checkPlace(connection, place));
  }

  /** The cursor counts nothing as delivered that is not. */
  void checkCursor() {
    checked(cursor::check);
  }

  /** Something that is looked at in the database. */
  @FunctionalInterface
  private interface Look {
    void at(Connection connection) throws SQLException;
  }

  private synchronized void checked(Look look) {
    try {
      look.at(stage.unwatched());
    } catch (SQLException e) {
      // What an actor has locked is looked at later: a cursor that is wrong stays so.
      if (!LOCKED.equals(e.getSQLState())) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Runs a statement that is no step. */
  synchronized void execute(String sql) throws SQLException {
    try (Statement statement = stage.unwatched().createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void finish() throws Exception {
    history.releasedAll();
    broker.is(ModelBroker.State.UP);
    for (String sql : tables().expireLeases()) {
      execute(sql);
    }
    for (String sql : scenario.cleanUp()) {
      execute(sql);
    }
    history.foundCommitted(tables().ids(stage.unwatched()));
    Stage.Role last = new LastRole(stage.unwatchedConnections());
    OneRelay relay = new OneRelay("last");
    relay.enter(last);
    LogRelay lane = new LogRelay(this, last, () -> relay.store, relay.producer);
    for (int i = 0; i < LAST_CLAIMS && isSomethingLeft(); i++) {
      for (String sql : tables().makeDue()) {
        execute(sql);
      }
      pass(Duration.ofSeconds(6));
      lane.relays(1, 100);
    }
    relay.store.close();
  }

  private boolean isSomethingLeft() {
    Set<String> left = history.committed();
    left.removeAll(history.arrivals());
    if (!left.isEmpty()) {
      left.removeAll(dead());
    }
    return !left.isEmpty();
  }

  private List<String> dead() {
    return OutboxAdmin.of(stage.unwatchedConnections(), layout()).deadIds(DeadFilter.all(), 1_000);
  }

  @Override
  public void check() throws SQLException {
    history.check(scenario.replies().isEmpty() ? List.of() : dead(), false);
    checkCursor();
    if (scenario.numbersRise()) {
      checked(cursor::checkFloors);
    }
    if (isPlaced()) {
      checkOnce();
    }
  }

  /** What was delivered in its turn was so once, and did not leave the log as well. */
  private void checkOnce() throws SQLException {
    Set<String> diverted = tables().divertedIds(stage.unwatched());
    Set<String> seen = new HashSet<>();
    for (String id : broker.visible()) {
      if (!seen.add(id)) {
        throw new Violation(history.name(id) + " was delivered twice");
      }
      if (diverted.contains(id)) {
        throw new Violation(history.name(id) + " was delivered, and diverted as well");
      }
    }
  }

  @Override
  public String result() {
    return String.join(" ", history.arrivalNames());
  }
}
