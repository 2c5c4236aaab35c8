package dev.postcommit.testkit.explorer.log;

import dev.postcommit.internal.store.CheckpointedLog;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Collects who takes part in a {@link LogScenario}. */
public final class LogScenarioBuilder {
  private static final UnaryOperator<String> NONE = UnaryOperator.identity();

  final String name;
  final boolean isExactlyOnce;
  final List<String> setUp = new ArrayList<>();
  final List<String> before = new ArrayList<>();
  final List<String> cleanUp = new ArrayList<>();
  final List<Preparation> beforehand = new ArrayList<>();
  final Map<String, LogScenario.Part> parts = new LinkedHashMap<>();
  final Map<String, String> lanes = new HashMap<>();
  final Map<String, LogReplies.Reply> replies = new HashMap<>();
  int maxAttempts = 100;
  boolean numbersRise = true;
  UnaryOperator<String> mutation = NONE;
  UnaryOperator<CheckpointedLog> wrapper = UnaryOperator.identity();
  ModelBroker.Fault brokerFault = ModelBroker.Fault.NONE;

  /** Something that happened before a run. */
  @FunctionalInterface
  interface Preparation {
    void in(LogRun run) throws SQLException;
  }

  LogScenarioBuilder(String name, boolean isExactlyOnce) {
    this.name = name;
    this.isExactlyOnce = isExactlyOnce;
  }

  /** Whether tables stay as they were created, and sessions as they were opened. */
  boolean leavesTablesAlone() {
    return setUp.isEmpty() && before.isEmpty() && cleanUp.isEmpty() && mutation == NONE;
  }

  /** Runs a statement after the tables were created. */
  public LogScenarioBuilder setUp(String sql) {
    setUp.add(sql);
    return this;
  }

  /** Runs a statement before each run. */
  public LogScenarioBuilder before(String sql) {
    before.add(sql);
    return this;
  }

  /** Runs a statement after each run, before the rest is delivered. */
  public LogScenarioBuilder cleanUp(String sql) {
    cleanUp.add(sql);
    return this;
  }

  /** Events that are there when the run begins. */
  public LogScenarioBuilder backlog(String... events) {
    List<String> names = List.of(events);
    beforehand.add(run -> run.write(names));
    return this;
  }

  /** What a relay, or one of its threads, has done when the run begins. */
  public LogScenarioBuilder beforehand(String who, LogRelay.Part part) {
    beforehand.add(run -> run.relayBeforehand(who, part));
    return this;
  }

  /** Numbers may fall: somebody alters the sequence, or loads rows. */
  public LogScenarioBuilder numbersMayFall() {
    numbersRise = false;
    return this;
  }

  /** Adds a writer. */
  public LogScenarioBuilder writer(String who, LogWriter.Part part) {
    parts.put(who, (run, self) -> part.write(new LogWriter(run, self)));
    return this;
  }

  /** Adds a writer of events in transactions of their own. */
  public LogScenarioBuilder writer(String who, String... events) {
    return writer(
        who,
        writer -> {
          for (String event : events) {
            writer.begin().enqueue(event).commit();
          }
        });
  }

  /** Adds a relay of one thread. */
  public LogScenarioBuilder relay(String who, LogRelay.Part part) {
    return lane(who, who, part);
  }

  /** Adds a thread of a relay. */
  public LogScenarioBuilder lane(String who, String relay, LogRelay.Part part) {
    lanes.put(who, relay);
    parts.put(who, (run, self) -> run.relay(self, relay, part));
    return this;
  }

  /** Adds somebody else. */
  public LogScenarioBuilder actor(String who, LogScenario.Part part) {
    parts.put(who, part);
    return this;
  }

  /** Adds somebody who runs statements, each in a transaction of its own. */
  public LogScenarioBuilder statements(String who, String... statements) {
    return actor(who, LogFaults.statements(statements));
  }

  /** All leases end once, at any time: relays that go on do not know. */
  public LogScenarioBuilder leasesEnd() {
    return actor("clock", LogFaults.leasesEnd());
  }

  /** An actor is killed, at any time. */
  public LogScenarioBuilder kill(String who) {
    return actor("kill-" + who, LogFaults.kill(who));
  }

  /** The sessions of an actor are cut off, at any time. */
  public LogScenarioBuilder cutOff(String who) {
    return actor("cut-" + who, LogFaults.cutOff(who));
  }

  /** An operator replays what is dead, at any time. */
  public LogScenarioBuilder replay(String who) {
    return actor(who, LogFaults.replay(who));
  }

  /** The broker is out of order for a while. */
  LogScenarioBuilder outage(ModelBroker.State state) {
    return actor("outage", LogFaults.outage(state));
  }

  /** The broker never takes an event. */
  public LogScenarioBuilder rejects(String event) {
    return rejects(event, Integer.MAX_VALUE);
  }

  /** The broker rejects an event so often, and takes it if it is replayed then. */
  public LogScenarioBuilder rejects(String event, int times) {
    replies.put(event, new LogReplies.Reply(times, true, false));
    return this;
  }

  /** The broker takes an event after so many failed attempts. */
  public LogScenarioBuilder fails(String event, int times) {
    replies.put(event, new LogReplies.Reply(times, false, false));
    return this;
  }

  /** The broker takes an event, and its answer is lost so often. */
  public LogScenarioBuilder losesReply(String event, int times) {
    replies.put(event, new LogReplies.Reply(times, false, true));
    return this;
  }

  /** Events have so many attempts. */
  public LogScenarioBuilder maxAttempts(int attempts) {
    maxAttempts = attempts;
    return this;
  }

  /** Changes statements before they are sent: to show what a fault would do. */
  public LogScenarioBuilder mutation(UnaryOperator<String> change) {
    mutation = change;
    return this;
  }

  /** Puts something around the stores of relays: to show what a fault would do. */
  public LogScenarioBuilder wrapper(UnaryOperator<CheckpointedLog> around) {
    wrapper = around;
    return this;
  }

  /** Producers deviate from what they should do. */
  public LogScenarioBuilder brokerFault(ModelBroker.Fault fault) {
    brokerFault = fault;
    return this;
  }

  /** The scenario. */
  public LogScenario build() {
    return new LogScenario(this);
  }
}
