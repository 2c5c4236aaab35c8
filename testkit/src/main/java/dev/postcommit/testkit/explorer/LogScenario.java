package dev.postcommit.testkit.explorer;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.internal.store.PlacedLog;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Writers, relays and faults around a log, with its cursor in the table alone, or with its place
 * kept by a {@linkplain ModelBroker broker}.
 *
 * <p>Leases are long; they end when a step of the scenario says so, and clocks move on when one
 * does. What is left at the end is delivered by one more relay, alone.
 */
public final class LogScenario implements Scenario {
  private static final LayoutSample SAMPLE = Samples.LOG;

  private static final String SEQUENCE = SAMPLE.layout().table().withSuffix("_seq").sql();

  private final String name;
  private final OutboxTables tables = new OutboxTables(SAMPLE.layout());
  private final Builder built;

  private LogScenario(Builder builder) {
    this.name = builder.name;
    this.built = builder;
  }

  /** A scenario whose cursor is in the table alone. */
  public static Builder of(String name) {
    return new Builder(name, false);
  }

  /** A scenario whose place is kept by a broker. */
  public static Builder exactlyOnce(String name) {
    return new Builder(name, true);
  }

  /** What the broker says to an event: so often no, and then yes, or never. */
  record Reply(int failures, boolean isRejection, boolean arrivesAnyway) {}

  /** Somebody of whom there is no kind. */
  @FunctionalInterface
  public interface Part {

    /** Does something to the run, or to its tables. */
    void play(LogRun run, Stage.Role self) throws Exception;
  }

  LayoutSample sample() {
    return SAMPLE;
  }

  Layout layout() {
    return SAMPLE.layout();
  }

  OutboxTables tables() {
    return tables;
  }

  Map<String, Reply> replies() {
    return built.replies;
  }

  UnaryOperator<String> mutation() {
    return built.mutation;
  }

  UnaryOperator<PlacedLog> wrapper() {
    return built.wrapper;
  }

  ModelBroker.Fault brokerFault() {
    return built.brokerFault;
  }

  int maxAttempts() {
    return built.maxAttempts;
  }

  boolean isPlaced() {
    return built.isPlaced;
  }

  boolean numbersRise() {
    return built.numbersRise;
  }

  List<String> cleanUp() {
    return built.cleanUp;
  }

  /** The relay that an actor plays. */
  String relayOf(String actor) {
    return built.lanes.getOrDefault(actor, actor);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String schema() {
    return "log " + built.setUp;
  }

  @Override
  public void create(DataSource database) throws SQLException {
    OutboxMigration.migrate(database, layout());
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT nextval('" + SEQUENCE + "')");
      for (String sql : built.setUp) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    tables.empty(connection);
    try (Statement statement = connection.createStatement()) {
      // All runs begin alike: everything is delivered that was ever written.
      statement.execute(
          """
          UPDATE %1$s SET mark = NULL, base = 0, floor = s.last_value, seen = pg_current_snapshot(),
            upto = NULL, position = 0, checked = pg_current_snapshot(), checked_floor = s.last_value,
            numbering = pg_relation_filenode('%2$s')
          FROM (SELECT last_value FROM %2$s OFFSET 0) s"""
              .formatted(((Log) layout().lifecycle()).cursor().sql(), SEQUENCE));
      for (String sql : built.before) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public Play begin(Stage stage) {
    LogRun run = new LogRun(this, stage);
    built.parts.forEach((who, part) -> run.add(who, self -> part.play(run, self)));
    return run;
  }

  /** Collects who takes part. */
  public static final class Builder {
    private final String name;
    private final boolean isPlaced;
    private final List<String> setUp = new ArrayList<>();
    private final List<String> before = new ArrayList<>();
    private final List<String> cleanUp = new ArrayList<>();
    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final Map<String, String> lanes = new HashMap<>();
    private final Map<String, Reply> replies = new HashMap<>();
    private int maxAttempts = 100;
    private boolean numbersRise = true;
    private UnaryOperator<String> mutation = UnaryOperator.identity();
    private UnaryOperator<PlacedLog> wrapper = UnaryOperator.identity();
    private ModelBroker.Fault brokerFault = ModelBroker.Fault.NONE;

    private Builder(String name, boolean isPlaced) {
      this.name = name;
      this.isPlaced = isPlaced;
    }

    /** Runs a statement after the tables were created. */
    public Builder setUp(String sql) {
      setUp.add(sql);
      return this;
    }

    /** Runs a statement before each run. */
    public Builder before(String sql) {
      before.add(sql);
      return this;
    }

    /** Runs a statement after each run, before the rest is delivered. */
    public Builder cleanUp(String sql) {
      cleanUp.add(sql);
      return this;
    }

    /** Numbers may fall: somebody alters the sequence, or loads rows. */
    public Builder numbersMayFall() {
      numbersRise = false;
      return this;
    }

    /** Adds a writer. */
    public Builder writer(String who, LogWriter.Part part) {
      parts.put(who, (run, self) -> part.write(new LogWriter(run, self)));
      return this;
    }

    /** Adds a writer of events in transactions of their own. */
    public Builder writer(String who, String... events) {
      return writer(
          who,
          writer -> {
            for (String event : events) {
              writer.begin().enqueue(event).commit();
            }
          });
    }

    /** Adds a relay of one thread. */
    public Builder relay(String who, LogRelay.Part part) {
      return lane(who, who, part);
    }

    /** Adds a thread of a relay. */
    public Builder lane(String who, String relay, LogRelay.Part part) {
      lanes.put(who, relay);
      parts.put(who, (run, self) -> run.relay(self, relay, part));
      return this;
    }

    /** Adds somebody else. */
    public Builder actor(String who, Part part) {
      parts.put(who, part);
      return this;
    }

    /** Adds somebody who runs statements, each in a transaction of its own. */
    public Builder statements(String who, String... statements) {
      return actor(
          who,
          (run, self) -> {
            try (Connection connection = self.connections().getConnection();
                Statement statement = connection.createStatement()) {
              for (String sql : statements) {
                statement.execute(sql);
              }
            }
          });
    }

    /** All leases end once, at any time: relays that go on do not know. */
    public Builder leasesEnd() {
      return actor(
          "clock",
          (run, self) -> {
            try (Connection connection = self.connections().getConnection();
                Statement statement = connection.createStatement()) {
              for (String sql : run.tables().expireLeases()) {
                // Others may claim as soon as the first of these is done.
                self.atNextStep(run.history()::releasedAll);
                statement.execute(sql);
              }
            }
          });
    }

    /** An actor is killed, at any time. */
    public Builder kill(String who) {
      return actor(
          "kill-" + who,
          (run, self) -> {
            self.step("kill " + who);
            run.role(who).kill();
          });
    }

    /** The sessions of an actor are cut off, at any time. */
    public Builder cutOff(String who) {
      return actor(
          "cut-" + who,
          (run, self) -> {
            self.step("cut off " + who);
            run.role(who).cutOff();
          });
    }

    /** An operator replays what is dead, at any time. */
    public Builder replay(String who) {
      return actor(
          who,
          (run, self) -> {
            run.history().replays();
            OutboxAdmin.of(self.connections(), run.layout())
                .replay(DeadFilter.all(), new Decision(who, null));
          });
    }

    /** The broker is out of order for a while. */
    Builder outage(ModelBroker.State state) {
      return actor(
          "outage",
          (run, self) -> {
            self.step("broker", "the broker is " + state);
            run.broker().is(state);
            self.step("broker", "the broker is up again");
            run.broker().is(ModelBroker.State.UP);
          });
    }

    /** The broker never takes an event. */
    public Builder rejects(String event) {
      return rejects(event, Integer.MAX_VALUE);
    }

    /** The broker rejects an event so often, and takes it if it is replayed then. */
    public Builder rejects(String event, int times) {
      replies.put(event, new Reply(times, true, false));
      return this;
    }

    /** The broker takes an event after so many failed attempts. */
    public Builder fails(String event, int times) {
      replies.put(event, new Reply(times, false, false));
      return this;
    }

    /** The broker takes an event, and its answer is lost so often. */
    public Builder losesReply(String event, int times) {
      replies.put(event, new Reply(times, false, true));
      return this;
    }

    /** Events have so many attempts. */
    public Builder maxAttempts(int attempts) {
      maxAttempts = attempts;
      return this;
    }

    /** Changes statements before they are sent: to show what a fault would do. */
    public Builder mutation(UnaryOperator<String> change) {
      mutation = change;
      return this;
    }

    /** Puts something around the stores of relays: to show what a fault would do. */
    public Builder wrapper(UnaryOperator<PlacedLog> around) {
      wrapper = around;
      return this;
    }

    /** Producers deviate from what they should do. */
    Builder brokerFault(ModelBroker.Fault fault) {
      brokerFault = fault;
      return this;
    }

    /** The scenario. */
    public LogScenario build() {
      return new LogScenario(this);
    }
  }
}
