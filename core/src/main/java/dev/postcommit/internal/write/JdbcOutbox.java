package dev.postcommit.internal.write;

import dev.postcommit.Enqueued;
import dev.postcommit.Enqueued.AlreadyEnqueued;
import dev.postcommit.Enqueued.Written;
import dev.postcommit.Event;
import dev.postcommit.NoTransactionException;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.write.EventRow.Cell;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.support.JsonText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@link Outbox} on a Postgres table. */
public final class JdbcOutbox implements Outbox {
  /** The row behind a dedupe key may vanish between two statements, but hardly this often. */
  private static final int TRIES = 3;

  private final Layout layout;
  private final OutboxSql sql;
  private final WritingRules rules;
  private final EventValidator validator;

  /** Renders the statements; no I/O. */
  public JdbcOutbox(Layout layout, Optional<TableName> dedupeKeys, WritingRules rules) {
    this.layout = layout;
    this.rules = rules;
    this.sql = OutboxSql.of(layout, dedupeKeys);
    this.validator = new EventValidator(layout, rules);
    Column id = layout.required(Role.ID);
    if (id.isNumber()) {
      throw new IllegalArgumentException(
          "an outbox gives its events UUIDs, which column %s of %s (%s) cannot hold; rows of such a"
                  .formatted(id.name(), layout.table(), id.type())
              + " table are to be written by the application itself");
    }
  }

  @Override
  public Enqueued enqueue(Connection tx, Event event) {
    Event checked = checked(event);
    try {
      requireTransaction(tx);
      return write(tx, checked);
    } catch (SQLException e) {
      throw failure("event " + event.id(), e);
    }
  }

  @Override
  public List<Enqueued> enqueueAll(Connection tx, List<Event> given) {
    List<Event> events = given.stream().map(this::checked).toList();
    try {
      requireTransaction(tx);
      if (events.isEmpty()) {
        return List.of();
      }
      if (events.size() == 1) {
        // A statement without arrays costs Postgres less.
        return List.of(write(tx, events.get(0)));
      }
      boolean deduplicated = events.stream().anyMatch(event -> event.dedupeKey() != null);
      List<Enqueued> results = deduplicated ? insertAllOnce(tx, events) : insertAll(tx, events);
      insertHeaders(tx, events, results);
      return results;
    } catch (SQLException e) {
      throw failure(events.size() + " events from " + events.get(0).id(), e);
    }
  }

  @Override
  public int maxPayloadBytes() {
    return rules.maxPayloadBytes();
  }

  /** The event as it can be written. */
  Event checked(Event event) {
    return validator.checked(event);
  }

  private static void requireTransaction(Connection tx) throws SQLException {
    if (tx.getAutoCommit()) {
      throw new NoTransactionException();
    }
  }

  private Enqueued write(Connection tx, Event event) throws SQLException {
    Enqueued result = event.dedupeKey() == null ? insert(tx, event) : insertOnce(tx, event);
    insertHeaders(tx, List.of(event), List.of(result));
    return result;
  }

  private Enqueued insert(Connection tx, Event event) throws SQLException {
    @Nullable Object[] values = values(event);
    boolean common = nothingRare(values);
    NamedSql insert = common ? sql.insertCommon() : sql.insert();
    int unused = insert.run(tx, to -> bind(to, values, common).update());
    return new Written(event.id());
  }

  private Enqueued insertOnce(Connection tx, Event event) throws SQLException {
    @Nullable Object[] values = values(event);
    for (int i = 0; i < TRIES; i++) {
      Optional<Enqueued> result =
          sql.insertOnce()
              .run(
                  tx,
                  to ->
                      ofDedupeKey(bind(to, values, false), event).optionalRow(JdbcOutbox::result));
      if (result.isPresent()) {
        return result.get();
      }
      Optional<UUID> winner = find(tx, event);
      if (winner.isPresent()) {
        return new AlreadyEnqueued(winner.get());
      }
    }
    throw vanished(event);
  }

  private List<Enqueued> insertAll(Connection tx, List<Event> events) throws SQLException {
    int unused = sql.insertAll().run(tx, to -> bindAll(to, events).update());
    return events.stream().<Enqueued>map(event -> new Written(event.id())).toList();
  }

  private List<Enqueued> insertAllOnce(Connection tx, List<Event> events) throws SQLException {
    Set<UUID> written =
        new HashSet<>(sql.insertAllOnce().run(tx, to -> bindAll(to, events).rows(JdbcOutbox::id)));
    List<Enqueued> results = new ArrayList<>(events.size());
    for (Event event : events) {
      if (written.contains(event.id())) {
        results.add(new Written(event.id()));
      } else {
        // The winner may be gone again; then this event is simply written after all.
        Optional<UUID> winner = find(tx, event);
        results.add(winner.isPresent() ? new AlreadyEnqueued(winner.get()) : insertOnce(tx, event));
      }
    }
    return results;
  }

  private void insertHeaders(Connection tx, List<Event> events, List<Enqueued> results)
      throws SQLException {
    if (sql.insertHeaders().isEmpty()) {
      return;
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 0; i < events.size(); i++) {
      if (results.get(i) instanceof Written written && !events.get(i).headers().isEmpty()) {
        headers.put(written.id().toString(), JsonText.write(events.get(i).headers()));
      }
    }
    if (!headers.isEmpty()) {
      int unused =
          sql.insertHeaders()
              .get()
              .run(
                  tx,
                  to ->
                      to.setTexts("ids", headers.keySet())
                          .setTexts("headers", headers.values())
                          .update());
    }
  }

  private Optional<UUID> find(Connection tx, Event event) throws SQLException {
    return sql.findByDedupeKey().run(tx, to -> ofDedupeKey(to, event).optionalRow(JdbcOutbox::id));
  }

  private static Enqueued result(ResultSet row) throws SQLException {
    return row.getBoolean("is_new") ? new Written(id(row)) : new AlreadyEnqueued(id(row));
  }

  private static UUID id(ResultSet row) throws SQLException {
    return row.getObject("id", UUID.class);
  }

  /** What the parameters of a statement for one event are, in the order of the cells. */
  private @Nullable Object[] values(Event event) {
    List<Cell> cells = sql.cells();
    @Nullable Object[] values = new @Nullable Object[cells.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = cells.get(i).value().apply(event);
    }
    return values;
  }

  private boolean nothingRare(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null && sql.cells().get(i).rare()) {
        return false;
      }
    }
    return true;
  }

  private NamedStatement bind(NamedStatement to, @Nullable Object[] values, boolean common)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Cell cell = sql.cells().get(i);
      if (common && cell.rare()) {
        continue;
      }
      Object value = values[i];
      if (value instanceof byte[] bytes) {
        to.set(cell.parameter(), bytes);
      } else if (value instanceof Integer number) {
        to.set(cell.parameter(), number.intValue());
      } else if (value instanceof UUID uuid) {
        to.set(cell.parameter(), uuid);
      } else {
        to.set(cell.parameter(), (String) value);
      }
    }
    return to;
  }

  private static NamedStatement ofDedupeKey(NamedStatement to, Event event) throws SQLException {
    return to.set("of_namespace", event.namespace())
        .set("of_topic", event.topic())
        .set("of_dedupe_key", event.dedupeKey());
  }

  private NamedStatement bindAll(NamedStatement to, List<Event> events) throws SQLException {
    for (Cell cell : sql.cells()) {
      Stream<@Nullable Object> values = events.stream().map(cell.value());
      if (cell.column().isBinary()) {
        to.set(cell.parameter(), values.toArray(byte[][]::new));
      } else {
        to.set(
            cell.parameter(),
            values.map(value -> value == null ? null : value.toString()).toArray(String[]::new));
      }
    }
    return to;
  }

  private PostcommitException failure(String what, SQLException e) {
    return new PostcommitException(
        "could not enqueue %s into %s; the transaction is to be rolled back: %s"
            .formatted(what, layout.table(), Database.problem(e)),
        e);
  }

  private PostcommitException vanished(Event event) {
    return new PostcommitException(
        "could not enqueue event %s into %s: rows with dedupe key %s come and go; try again"
            .formatted(event.id(), layout.table(), event.dedupeKey()));
  }
}
