package dev.postcommit.testkit.explorer.log;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scheduler.Actor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A writer's transactions. Events are named, and have the first letter of their name as key. */
public final class LogWriter {
  private final LogRun run;
  private final Stage.Role self;
  private final Outbox outbox;
  private final List<String> sinceSavepoint = new ArrayList<>();
  private @Nullable Connection tx;
  private @Nullable Savepoint savepoint;
  private int transaction;

  LogWriter(LogRun run, Stage.Role self) {
    this.run = run;
    this.self = self;
    this.outbox = Outbox.builder(run.layout()).build();
  }

  /** What a writer does. */
  @FunctionalInterface
  public interface Part {

    /** Writes. */
    void write(LogWriter writer) throws SQLException;
  }

  private Connection tx() {
    return Objects.requireNonNull(tx, "no transaction");
  }

  /** Begins a transaction, on the session of the one before if there was one. */
  public LogWriter begin() throws SQLException {
    tx = self.connections(run.mutation()).getConnection();
    tx.setAutoCommit(false);
    transaction = run.history().beginTransaction();
    sinceSavepoint.clear();
    return this;
  }

  /** Does something of the business, by which the transaction gets its id. */
  public LogWriter takeId() throws SQLException {
    return execute("SELECT pg_current_xact_id()");
  }

  /** Inserts an event. */
  public LogWriter enqueue(String event) {
    return enqueue(event, run.event(event));
  }

  /** Inserts an event with a dedupe key. */
  public LogWriter enqueue(String event, String dedupeKey) {
    return enqueue(event, run.event(event).dedupeKey(dedupeKey));
  }

  private LogWriter enqueue(String event, Event.Builder builder) {
    Event made = builder.id(run.nextId()).json("{\"name\": \"" + event + "\"}").build();
    String id = made.id().toString();
    // The order of writing is that of the statements, not of the calls.
    self.atNextStep(
        () -> run.history().inserts(id, event, event.substring(0, 1), transaction, null));
    if (outbox.enqueue(tx(), made) instanceof Enqueued.AlreadyEnqueued) {
      run.history().notInserted(id);
    } else {
      sinceSavepoint.add(id);
    }
    return this;
  }

  /** Runs a statement of the business. */
  public LogWriter execute(String sql) throws SQLException {
    try (Statement statement = tx().createStatement()) {
      statement.execute(sql);
    }
    return this;
  }

  /** Sets a savepoint. */
  public LogWriter savepoint() throws SQLException {
    savepoint = tx().setSavepoint();
    sinceSavepoint.clear();
    return this;
  }

  /** Gives up what was done since the savepoint. */
  public LogWriter rollbackToSavepoint() throws SQLException {
    tx().rollback(savepoint);
    sinceSavepoint.forEach(run.history()::notInserted);
    sinceSavepoint.clear();
    return this;
  }

  /** Commits, and gives the connection back. */
  public LogWriter commit() throws SQLException {
    try (Connection ending = tx()) {
      ending.commit();
      run.history().committed(transaction);
    }
    return this;
  }

  /** Rolls back, and gives the connection back. */
  public LogWriter rollback() throws SQLException {
    try (Connection ending = tx()) {
      ending.rollback();
    }
    return this;
  }

  /** Commits in two phases. */
  public LogWriter commitInTwoPhases() throws SQLException {
    String name = "'" + self.name() + "-" + transaction + "'";
    try (Connection ending = tx()) {
      execute("PREPARE TRANSACTION " + name);
      ending.setAutoCommit(true);
      try {
        execute("COMMIT PREPARED " + name);
      } catch (Actor.KilledError e) {
        // What is prepared outlives its session, and the run.
        run.execute("ROLLBACK PREPARED " + name);
        throw e;
      }
      run.history().committed(transaction);
    }
    return this;
  }
}
