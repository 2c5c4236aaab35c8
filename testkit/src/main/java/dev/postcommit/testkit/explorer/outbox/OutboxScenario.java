package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.outbox.Replies.Answer;
import dev.postcommit.testkit.explorer.outbox.Replies.Reply;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Writers, relays, operators and faults around one outbox table, driven through {@link Outbox},
 * {@link OutboxStore} and {@link OutboxAdmin}.
 *
 * <p>Leases are long; they end when a step of the scenario says so. What is left at the end is
 * delivered by one more relay, alone.
 */
public final class OutboxScenario implements Scenario {
  static final Duration LEASE = Duration.ofHours(1);

  private static final UnaryOperator<String> NONE = UnaryOperator.identity();

  /** More attempts than there are in a run. */
  private static final int NEVER = 100;

  private final String name;
  private final LayoutSample sample;
  private final OutboxTables tables;
  private final Layout migrated;
  private final List<String> setUp;
  private final Map<String, OutboxPlay.Part> actors;
  private final Map<String, Reply> replies;
  private final int maxAttempts;
  private final Map<String, Integer> attempts;
  private final boolean isOnce;
  private final UnaryOperator<String> mutation;

  private OutboxScenario(Builder builder) {
    this.name = builder.name;
    this.sample = builder.sample;
    this.tables = new OutboxTables(sample.layout());
    this.migrated = builder.migrated;
    this.setUp = List.copyOf(builder.setUp);
    this.actors = new LinkedHashMap<>(builder.actors);
    this.replies = Map.copyOf(builder.replies);
    this.maxAttempts = builder.maxAttempts;
    this.attempts = Map.copyOf(builder.attempts);
    this.isOnce = builder.isOnce;
    this.mutation = builder.mutation;
  }

  /** A scenario on a table of this layout. */
  public static Builder of(String name, LayoutSample sample) {
    return new Builder(name, sample);
  }

  /** What a writer does, with transactions of its own. */
  @FunctionalInterface
  public interface WriterPart {

    /** Writes. */
    void write(Writer writer) throws SQLException;
  }

  /** A writer's transactions. Events are named, and have the first letter of their name as key. */
  public interface Writer {

    /** Begins a transaction on a new connection. */
    void begin() throws SQLException;

    /** Inserts an event. */
    void enqueue(String event);

    /** Inserts an event with a dedupe key. */
    void enqueue(String event, String dedupeKey);

    /** Inserts an event of a namespace. */
    void enqueueIn(String namespace, String event);

    /** Runs a statement of the business. */
    void execute(String sql) throws SQLException;

    /** Sets a savepoint. */
    void savepoint() throws SQLException;

    /** Gives up what was done since the savepoint. */
    void rollbackToSavepoint() throws SQLException;

    /** Commits, and gives the connection back. */
    void commit() throws SQLException;

    /** Commits, and closes the connection: the next transaction has another session. */
    void commitAndDisconnect() throws SQLException;

    /** Commits in two phases, and gives the connection back. */
    void commitInTwoPhases() throws SQLException;

    /** Rolls back, and gives the connection back. */
    void rollback() throws SQLException;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public String schema() {
    return migrated + " " + setUp;
  }

  @Override
  public boolean leavesTablesAlone() {
    return setUp.isEmpty() && mutation == NONE;
  }

  @Override
  public void create(DataSource database) throws SQLException {
    OutboxMigration.migrate(database, migrated);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE accounts (key text PRIMARY KEY, version int NOT NULL)");
      for (String sql : setUp) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    tables.rollBackPrepared(connection);
    tables.empty(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM accounts; INSERT INTO accounts VALUES ('a', 0), ('b', 0)");
    }
  }

  @Override
  public Play begin(Stage stage) throws SQLException {
    OutboxRun run = new OutboxRun(this, stage);
    actors.forEach((who, part) -> run.add(who, self -> part.play(run, self)));
    for (Map.Entry<String, OutboxPlay.Part> actor : actors.entrySet()) {
      actor.getValue().prepare(run, run.role(actor.getKey()));
    }
    return run;
  }

  LayoutSample sample() {
    return sample;
  }

  Map<String, Reply> replies() {
    return replies;
  }

  UnaryOperator<String> mutation() {
    return mutation;
  }

  int attempts(String namespace) {
    return attempts.getOrDefault(namespace, maxAttempts);
  }

  boolean isOnce() {
    return isOnce;
  }

  boolean someMayDie() {
    return !replies.isEmpty() || maxAttempts < NEVER || !attempts.isEmpty();
  }

  /** Collects who takes part. */
  public static final class Builder {
    private final String name;
    private final LayoutSample sample;
    private Layout migrated;
    private final List<String> setUp = new ArrayList<>();
    private final Map<String, OutboxPlay.Part> actors = new LinkedHashMap<>();
    private final Map<String, Reply> replies = new HashMap<>();
    private int maxAttempts = NEVER;
    private final Map<String, Integer> attempts = new HashMap<>();
    private boolean isOnce;
    private UnaryOperator<String> mutation = NONE;

    private Builder(String name, LayoutSample sample) {
      this.name = name;
      this.sample = sample;
      this.migrated = sample.layout();
    }

    /** Creates the tables of another layout, which the scenario's takes for its own. */
    public Builder onTablesOf(Layout other) {
      migrated = other;
      return this;
    }

    /** Runs a statement after the tables were created. */
    public Builder setUp(String sql) {
      setUp.add(sql);
      return this;
    }

    /** Adds a writer. */
    public Builder writer(String who, WriterPart part) {
      return actor(who, (run, self) -> part.write(run.writer(self)));
    }

    /** Adds a writer of one event in a transaction of its own. */
    public Builder writer(String who, String event) {
      return writer(
          who,
          writer -> {
            writer.begin();
            writer.enqueue(event);
            writer.commit();
          });
    }

    /** Adds a relay that claims so often up to so many events. */
    public Builder relay(String who, int claims, int batch) {
      return actor(who, ClaimRelay.of(claims, batch));
    }

    /** Adds an actor of any other kind. */
    Builder actor(String who, OutboxPlay.Part part) {
      actors.put(who, part);
      return this;
    }

    /** Nothing goes wrong, so every event is to arrive once. */
    public Builder once() {
      isOnce = true;
      return this;
    }

    /** All leases end once, at any time: relays that go on do not know. */
    public Builder leasesEnd() {
      return actor("clock", Faults.leasesEnd());
    }

    /** An actor is killed, at any time. */
    public Builder kill(String who) {
      return actor("kill-" + who, Faults.kill(who));
    }

    /** The sessions of an actor are cut off, at any time. */
    public Builder cutOff(String who) {
      return actor("cut-" + who, Faults.cutOff(who));
    }

    /** An operator replays what is dead, at any time. */
    public Builder replay(String who) {
      return actor(who, Faults.replay(who));
    }

    /** An operator discards what is dead, at any time. */
    public Builder discard(String who) {
      return actor(who, Faults.discard(who));
    }

    /** An operator pauses the relays that ask for it, and lets them go on. */
    public Builder pause(String who) {
      return actor(who, Faults.pause(who));
    }

    /** The broker never takes an event. */
    public Builder rejects(String event) {
      return rejects(event, Integer.MAX_VALUE);
    }

    /** The broker refuses an event so often, and takes it once an operator has replayed it. */
    public Builder rejects(String event, int times) {
      replies.put(event, new Reply(Answer.REJECT, times, Duration.ZERO));
      return this;
    }

    /** The broker refuses an event as long as another relay may send it too, whose it takes. */
    public Builder rejectsCopy(String event) {
      replies.put(event, new Reply(Answer.REJECT_COPY, Integer.MAX_VALUE, Duration.ZERO));
      return this;
    }

    /** The broker takes an event after so many failed attempts, which are repeated at once. */
    public Builder fails(String event, int times) {
      return fails(event, times, Duration.ZERO);
    }

    /** The broker takes an event after so many failed attempts. */
    public Builder fails(String event, int times, Duration delay) {
      replies.put(event, new Reply(Answer.FAIL, times, delay));
      return this;
    }

    /** The broker cannot be reached for so many attempts with an event. */
    public Builder unavailable(String event, int times) {
      replies.put(event, new Reply(Answer.UNAVAILABLE, times, Duration.ZERO));
      return this;
    }

    /** Events have so many attempts. */
    public Builder maxAttempts(int attempts) {
      maxAttempts = attempts;
      return this;
    }

    /** Events of a namespace have so many attempts. */
    public Builder maxAttempts(String namespace, int most) {
      attempts.put(namespace, most);
      return this;
    }

    /** Changes statements before they are sent: to show what a fault would do. */
    public Builder mutation(UnaryOperator<String> change) {
      mutation = change;
      return this;
    }

    /** The scenario. */
    public OutboxScenario build() {
      return new OutboxScenario(this);
    }
  }
}
