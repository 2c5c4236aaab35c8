package dev.postcommit.testkit.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.History.Working;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writers, relays, operators and faults around one outbox table, driven through {@link Outbox},
 * {@link OutboxStore} and {@link OutboxAdmin}.
 *
 * <p>Leases are long; they end when a step of the scenario says so. What is left at the end is
 * delivered by one more relay, alone.
 */
public final class OutboxScenario implements Scenario {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final int LAST_CLAIMS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final LayoutSample sample;
  private final OutboxTables tables;
  private final List<String> setUp;
  private final Map<String, WriterPart> writers;
  private final Map<String, RelayPart> relays;
  private final List<Fault> faults;
  private final Map<String, Reply> replies;
  private final int maxAttempts;
  private final UnaryOperator<String> mutation;

  private OutboxScenario(Builder builder) {
    this.name = builder.name;
    this.sample = builder.sample;
    this.tables = new OutboxTables(sample.layout());
    this.setUp = List.copyOf(builder.setUp);
    this.writers = new LinkedHashMap<>(builder.writers);
    this.relays = new LinkedHashMap<>(builder.relays);
    this.faults = List.copyOf(builder.faults);
    this.replies = Map.copyOf(builder.replies);
    this.maxAttempts = builder.maxAttempts;
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
    void write(Writer writer) throws Exception;
  }

  /** A writer's transactions. Events are named, and have the first letter of their name as key. */
  public interface Writer {

    /** Begins a transaction on a new connection. */
    void begin() throws SQLException;

    /** Inserts an event. */
    void enqueue(String event);

    /** Inserts an event with a dedupe key. */
    void enqueue(String event, String dedupeKey);

    /** Runs a statement of the business. */
    void execute(String sql) throws SQLException;

    /** Sets a savepoint. */
    void savepoint() throws SQLException;

    /** Gives up what was done since the savepoint. */
    void rollbackToSavepoint() throws SQLException;

    /** Commits, and gives the connection back. */
    void commit() throws SQLException;

    /** Rolls back, and gives the connection back. */
    void rollback() throws SQLException;
  }

  /** How a relay works: how often it claims, and how many events at a time. */
  private record RelayPart(int claims, int batch) {}

  /** What happens to others. */
  private record Fault(String name, FaultPart part) {}

  /** Does something to the actors of a run or to their tables. */
  @FunctionalInterface
  private interface FaultPart {
    void play(Playing run, Stage.Role self) throws Exception;
  }

  /** What the broker says to an event: so often no, and then yes, or never. */
  private record Reply(boolean isRejected, int failures) {}

  @Override
  public String name() {
    return name;
  }

  @Override
  public void create(DataSource database) throws SQLException {
    OutboxMigration.migrate(database, sample.layout());
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
    tables.empty(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM accounts; INSERT INTO accounts VALUES ('a', 0), ('b', 0)");
    }
  }

  @Override
  public Play begin(Stage stage) {
    Playing run = new Playing(stage);
    writers.forEach((who, part) -> run.add(who, self -> part.write(run.writer(self))));
    relays.forEach((who, part) -> run.add(who, self -> run.relay(self, part)));
    faults.forEach(fault -> run.add(fault.name(), self -> fault.part().play(run, self)));
    return run;
  }

  /** One run. */
  private final class Playing implements Play {
    private final Stage stage;
    private final History history = new History();
    private final Map<String, Stage.Role> roles = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private long ids;

    Playing(Stage stage) {
      this.stage = stage;
    }

    void add(String who, Stage.Part part) {
      roles.put(who, stage.actor(who, part));
    }

    Stage.Role role(String who) {
      return Objects.requireNonNull(roles.get(who), who);
    }

    OutboxTables tables() {
      return tables;
    }

    History history() {
      return history;
    }

    Layout layout() {
      return sample.layout();
    }

    Writer writer(Stage.Role self) {
      return new TransactionWriter(self);
    }

    private synchronized UUID nextId() {
      return new UUID(0x0192_0000_0000_7000L + (++ids << 16), 0x8000_0000_0000_0000L + ids);
    }

    /** Claims, delivers and settles, as often as it is told, until its database is gone. */
    void relay(Stage.Role self, RelayPart part) {
      DataSource connections = self.connections(mutation);
      try (OutboxStore store =
          OutboxStore.of(
              connections, sample.layout(), UUID.nameUUIDFromBytes(self.name().getBytes(UTF_8)))) {
        for (int i = 0; i < part.claims(); i++) {
          deliver(self, store, part.batch());
        }
      } catch (PostcommitException e) {
        self.note("gives up: " + e.getMessage());
      }
    }

    private void deliver(Stage.Role self, OutboxStore store, int batch) {
      Claim claim;
      try {
        claim = store.claim(ClaimRequest.of(batch, LEASE, maxAttempts));
      } catch (PostcommitException e) {
        self.note(String.valueOf(e.getMessage()));
        return;
      }
      if (claim.isEmpty()) {
        return;
      }
      Working working =
          history.claimed(self.name(), claim.events().stream().map(StoredEvent::id).toList());
      try {
        List<Outcome> outcomes = new ArrayList<>();
        HashSet<String> stopped = new HashSet<>();
        for (StoredEvent event : claim.events()) {
          String key = String.valueOf(event.key());
          if (stopped.contains(key)) {
            outcomes.add(new Outcome.Released(event.id()));
            continue;
          }
          self.step("key " + key, "send " + history.name(event.id()));
          Outcome outcome = reply(event);
          if (!(outcome instanceof Outcome.Delivered)) {
            stopped.add(key);
          }
          outcomes.add(outcome);
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

    private synchronized Outcome reply(StoredEvent event) {
      Reply reply = replies.get(history.name(event.id()));
      if (reply != null && reply.isRejected()) {
        history.mayDie(event.id());
        return new Outcome.Dead(event.id(), "rejected");
      }
      int failed = failures.merge(event.id(), 1, Integer::sum);
      if (reply != null && failed <= reply.failures()) {
        return new Outcome.Retry(event.id(), "not now", Duration.ZERO);
      }
      history.arrived(event.id());
      return new Outcome.Delivered(event.id());
    }

    @Override
    public void finish() throws Exception {
      history.releasedAll();
      execute(tables.expireLeases());
      history.foundCommitted(tables.ids(stage.unwatched()));
      try (OutboxStore store =
          OutboxStore.of(stage.unwatchedConnections(), sample.layout(), UUID.randomUUID())) {
        long begin = System.nanoTime();
        for (int i = 0; i < LAST_CLAIMS && isSomethingLeft(); i++) {
          execute(tables.makeDue());
          Claim claim = store.claim(ClaimRequest.of(100, LEASE, maxAttempts));
          HashSet<String> stopped = new HashSet<>();
          List<Outcome> outcomes = new ArrayList<>();
          for (StoredEvent event : claim.events()) {
            String key = String.valueOf(event.key());
            Outcome outcome =
                stopped.contains(key) ? new Outcome.Released(event.id()) : reply(event);
            if (!(outcome instanceof Outcome.Delivered)) {
              stopped.add(key);
            }
            outcomes.add(outcome);
          }
          store.settle(claim, outcomes);
          if (claim.isEmpty() && System.nanoTime() - begin > PATIENCE.toNanos()) {
            return;
          }
        }
      }
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
      return OutboxAdmin.of(stage.unwatchedConnections(), sample.layout())
          .deadIds(DeadFilter.all(), 1_000);
    }

    private void execute(List<String> statements) throws SQLException {
      if (!statements.isEmpty()) {
        try (Statement statement = stage.unwatched().createStatement()) {
          statement.execute(String.join("; ", statements));
        }
      }
    }

    @Override
    public void check() {
      history.check(replies.isEmpty() && maxAttempts > 50 ? List.of() : dead());
    }

    @Override
    public String result() {
      return history.arrivalNames().stream().collect(Collectors.joining(" "));
    }

    /** A writer's transactions on connections of its own. */
    private final class TransactionWriter implements Writer {
      private final Stage.Role self;
      private final Outbox outbox = Outbox.builder(sample.layout()).build();
      private @Nullable Connection tx;
      private @Nullable Savepoint savepoint;
      private int transaction;
      private final List<String> sinceSavepoint = new ArrayList<>();

      TransactionWriter(Stage.Role self) {
        this.self = self;
      }

      private Connection tx() {
        return Objects.requireNonNull(tx, "no transaction");
      }

      @Override
      public void begin() throws SQLException {
        tx = self.connections(mutation).getConnection();
        tx.setAutoCommit(false);
        transaction = history.beginTransaction();
        sinceSavepoint.clear();
      }

      @Override
      public void enqueue(String event) {
        enqueue(event, sample.event().apply(event.substring(0, 1)));
      }

      @Override
      public void enqueue(String event, String dedupeKey) {
        Event.Builder builder = sample.event().apply(event.substring(0, 1));
        UUID tenant = builder.json("1").build().tenant();
        builder.dedupeKey((tenant == null ? "" : tenant + "/") + dedupeKey);
        enqueue(event, builder);
      }

      private void enqueue(String event, Event.Builder builder) {
        Event made = builder.id(nextId()).json("{\"name\": \"" + event + "\"}").build();
        String id = made.id().toString();
        // The order of writing is that of the statements, not of the calls.
        self.atNextStep(() -> history.inserts(id, event, event.substring(0, 1), transaction));
        Enqueued enqueued = outbox.enqueue(tx(), made);
        if (enqueued instanceof Enqueued.AlreadyEnqueued) {
          history.notInserted(id);
        } else {
          sinceSavepoint.add(id);
        }
      }

      @Override
      public void execute(String sql) throws SQLException {
        try (Statement statement = tx().createStatement()) {
          statement.execute(sql);
        }
      }

      @Override
      public void savepoint() throws SQLException {
        savepoint = tx().setSavepoint();
        sinceSavepoint.clear();
      }

      @Override
      public void rollbackToSavepoint() throws SQLException {
        tx().rollback(savepoint);
        sinceSavepoint.forEach(history::notInserted);
        sinceSavepoint.clear();
      }

      @Override
      public void commit() throws SQLException {
        try (Connection ending = tx()) {
          ending.commit();
          history.committed(transaction);
        }
      }

      @Override
      public void rollback() throws SQLException {
        try (Connection ending = tx()) {
          ending.rollback();
        }
      }
    }
  }

  /** Collects who takes part. */
  public static final class Builder {
    private final String name;
    private final LayoutSample sample;
    private final List<String> setUp = new ArrayList<>();
    private final Map<String, WriterPart> writers = new LinkedHashMap<>();
    private final Map<String, RelayPart> relays = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private final Map<String, Reply> replies = new HashMap<>();
    private int maxAttempts = 100;
    private UnaryOperator<String> mutation = UnaryOperator.identity();

    private Builder(String name, LayoutSample sample) {
      this.name = name;
      this.sample = sample;
    }

    /** Runs a statement after the tables were created. */
    public Builder setUp(String sql) {
      setUp.add(sql);
      return this;
    }

    /** Adds a writer. */
    public Builder writer(String who, WriterPart part) {
      writers.put(who, part);
      return this;
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
      relays.put(who, new RelayPart(claims, batch));
      return this;
    }

    /** All leases end once, at any time: relays that go on do not know. */
    public Builder leasesEnd() {
      faults.add(
          new Fault(
              "clock",
              (run, self) -> {
                List<String> statements = run.tables().expireLeases();
                if (!statements.isEmpty()) {
                  try (Connection connection = self.connections().getConnection();
                      Statement statement = connection.createStatement()) {
                    for (String sql : statements) {
                      statement.execute(sql);
                    }
                  }
                }
                run.history().releasedAll();
              }));
      return this;
    }

    /** An actor is killed, at any time. */
    public Builder kill(String who) {
      faults.add(
          new Fault(
              "kill-" + who,
              (run, self) -> {
                self.step("kill " + who);
                run.role(who).kill();
                if (run.tables().isHeld()) {
                  run.history().releasedAll();
                }
              }));
      return this;
    }

    /** The sessions of an actor are cut off, at any time. */
    public Builder cutOff(String who) {
      faults.add(
          new Fault(
              "cut-" + who,
              (run, self) -> {
                self.step("cut off " + who);
                run.role(who).cutOff();
                if (run.tables().isHeld()) {
                  run.history().releasedAll();
                }
              }));
      return this;
    }

    /** An operator replays what is dead, at any time. */
    public Builder replay(String who) {
      faults.add(
          new Fault(
              who,
              (run, self) ->
                  OutboxAdmin.of(self.connections(), run.layout())
                      .replay(DeadFilter.all(), new Decision(who, null))));
      return this;
    }

    /** The broker never takes an event. */
    public Builder rejects(String event) {
      replies.put(event, new Reply(true, 0));
      return this;
    }

    /** The broker takes an event after so many failed attempts. */
    public Builder fails(String event, int times) {
      replies.put(event, new Reply(false, times));
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

    /** The scenario. */
    public OutboxScenario build() {
      return new OutboxScenario(this);
    }
  }
}
