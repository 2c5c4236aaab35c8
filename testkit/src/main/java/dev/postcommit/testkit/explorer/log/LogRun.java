package dev.postcommit.testkit.explorer.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Event;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.explorer.gate.LaneConnections;
import dev.postcommit.testkit.explorer.oracle.ClaimStart;
import dev.postcommit.testkit.explorer.oracle.CursorCheck;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.oracle.History.Working;
import dev.postcommit.testkit.explorer.outbox.OutboxTables;
import dev.postcommit.testkit.explorer.outbox.RelayPresence;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.SilentRole;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
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
  private final Map<String, PlayedRelay> relays = new HashMap<>();
  private final Map<String, LogRelay> prepared = new HashMap<>();
  private final LogReplies replies;
  private final AtomicLong nanos = new AtomicLong();
  private final CursorCheck cursor;
  private final ModelBroker broker;
  private long ids;

  LogRun(LogScenario scenario, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    this.replies = new LogReplies(scenario.replies(), history);
    this.cursor = new CursorCheck(scenario.layout(), history);
    this.broker = new ModelBroker(history::arrived, this::recorded);
  }

  void add(String who, Stage.Part part) {
    roles.put(who, stage.actor(who, part));
  }

  /** Writes events before the run, each in a transaction of its own. */
  void write(List<String> events) throws SQLException {
    LogWriter writer = new LogWriter(this, silent("backlog"));
    for (String event : events) {
      writer.begin().enqueue(event).commit();
    }
  }

  /** Has a relay, or one thread of it, do something before the run; it goes on from there. */
  void relayBeforehand(String who, LogRelay.Part part) {
    PlayedRelay mine = relay(scenario.relayOf(who));
    Stage.Role role = silent(who);
    mine.enter(role, role.connections());
    LogRelay lane = prepared.computeIfAbsent(who, same -> mine.lane(role));
    part.relay(lane);
  }

  private Stage.Role silent(String who) {
    return new SilentRole(who, stage.unwatchedConnections());
  }

  private PlayedRelay open(String name) {
    LaneConnections connections = new LaneConnections(stage.unwatchedConnections());
    return new PlayedRelay(
        this,
        connections,
        broker,
        scenario.brokerFault(),
        checkpoints ->
            scenario
                .wrapper()
                .apply(
                    Stores.open(
                        connections,
                        layout(),
                        id(name),
                        isExactlyOnce() ? checkpoints : null,
                        nanos::get)));
  }

  private PlayedRelay relay(String name) {
    synchronized (relays) {
      return relays.computeIfAbsent(name, this::open);
    }
  }

  /** Has an actor play a relay, or one thread of it. */
  void relay(Stage.Role role, String relay, LogRelay.Part part) {
    PlayedRelay mine = relay(relay);
    mine.enter(role, role.connections(mutation()));
    @Nullable LogRelay before = prepared.get(role.name());
    try (LogRelay lane = before == null ? mine.lane(role) : before.as(role)) {
      part.relay(lane);
    }
  }

  /** How others see a relay that an actor plays. */
  RelayPresence presence(Stage.Role role) {
    return new RelayPresence(
        history,
        layout(),
        role,
        role.connections(mutation()),
        id(scenario.relayOf(role.name())),
        request(1),
        nanos::get);
  }

  ClaimRequest request(int batch) {
    return ClaimRequest.of(batch, LEASE, scenario.maxAttempts());
  }

  private static UUID id(String relay) {
    return UUID.nameUUIDFromBytes(relay.getBytes(UTF_8));
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

  boolean isExactlyOnce() {
    return scenario.isExactlyOnce();
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
  Working claimed(Stage.Role relay, Claim claim, ClaimStart start) {
    List<String> events = claim.events().stream().map(StoredEvent::id).toList();
    boolean isLive = claim.token() > 0 || isLeading(relay.name());
    return history.claimed(relay.name(), isLive ? events : List.of(), start);
  }

  private synchronized boolean isLeading(String relay) {
    try {
      return cursor.isLeading(stage.unwatched(), id(scenario.relayOf(relay)));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  LogReplies replies() {
    return replies;
  }

  private void recorded(String checkpoint) {
    checked(connection -> cursor.checkCheckpoint(connection, checkpoint));
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
    PlayedRelay relay = open("last");
    Stage.Role last = silent("last");
    relay.enter(last, last.connections());
    LogRelay lane = relay.lane(last);
    for (int i = 0; i < LAST_CLAIMS && isSomethingLeft(); i++) {
      for (String sql : tables().makeDue()) {
        execute(sql);
      }
      pass(Duration.ofSeconds(6));
      lane.relays(1, 100);
    }
    relay.close();
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
    if (isExactlyOnce()) {
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
