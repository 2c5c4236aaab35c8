package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A writer's transactions on connections of its own. */
final class TransactionWriter implements OutboxScenario.Writer {
  private final OutboxPlay run;
  private final Stage.Role self;
  private final History history;
  private final LayoutSample sample;
  private final Outbox outbox;
  private @Nullable Connection tx;
  private @Nullable Savepoint savepoint;
  private int transaction;
  private final List<String> sinceSavepoint = new ArrayList<>();

  TransactionWriter(OutboxPlay run, Stage.Role self) {
    this.run = run;
    this.self = self;
    this.history = run.history();
    this.sample = run.sample();
    this.outbox = Outbox.builder(run.layout()).build();
  }

  private Connection tx() {
    return Objects.requireNonNull(tx, "no transaction");
  }

  @Override
  public void begin() throws SQLException {
    tx = self.connections(run.mutation()).getConnection();
    tx.setAutoCommit(false);
    transaction = history.beginTransaction();
    sinceSavepoint.clear();
  }

  @Override
  public void enqueue(String event) {
    enqueue(event, sample.event().apply(event.substring(0, 1)));
  }

  @Override
  public void enqueueIn(String namespace, String event) {
    enqueue(event, sample.event().apply(event.substring(0, 1)).namespace(namespace));
  }

  @Override
  public void enqueue(String event, String dedupeKey) {
    Event.Builder builder = sample.event().apply(event.substring(0, 1));
    UUID tenant = builder.json("1").build().tenant();
    builder.dedupeKey((tenant == null ? "" : tenant + "/") + dedupeKey);
    enqueue(event, builder);
  }

  private void enqueue(String event, Event.Builder builder) {
    Event made = builder.id(run.nextId()).json("{\"name\": \"" + event + "\"}").build();
    String id = made.id().toString();
    // The order of writing is that of the statements, not of the calls.
    String key = made.namespace() + "/" + event.substring(0, 1);
    self.atNextStep(() -> history.inserts(id, event, key, transaction, made.dedupeKey()));
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
  public void commitAndDisconnect() throws SQLException {
    try (Connection ending = tx()) {
      ending.commit();
      history.committed(transaction);
      ending.unwrap(Connection.class).close();
    }
  }

  @Override
  public void commitInTwoPhases() throws SQLException {
    try (Connection ending = tx()) {
      // These names are those of all databases of a server.
      String name = "'%s-%s-%d'".formatted(ending.getCatalog(), self.name(), transaction);
      execute("PREPARE TRANSACTION " + name);
      ending.setAutoCommit(true);
      execute("COMMIT PREPARED " + name);
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
