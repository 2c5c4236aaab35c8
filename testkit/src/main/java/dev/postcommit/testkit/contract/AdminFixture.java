package dev.postcommit.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.postcommit.Event;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Lifecycle.Held;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows in whatever state a test of the operator's view wants them. Those of held layouts are
 * written as their lifecycle says, by SQL.
 */
public abstract class AdminFixture extends LayoutFixture {

  /** A decision without a reason. */
  protected static final Decision WITHOUT_REASON = new Decision("ada", null);

  /** A decision with a reason. */
  protected static final Decision WITH_REASON = new Decision("ada", "a test order");

  /** A fixture of the layout under test. */
  protected AdminFixture(LayoutSample sample) {
    super(sample);
  }

  /** Writes an event with this key; returns its id. */
  protected final String pending(String key) {
    Event event = small(key);
    if (!isHeld()) {
      return enqueue(event).get(0);
    }
    Map<String, String> values = new LinkedHashMap<>();
    put(values, Role.ID, event.id().toString());
    put(values, Role.TYPE, event.type());
    put(values, Role.AGGREGATE_TYPE, event.aggregateType());
    put(values, Role.AGGREGATE_ID, event.aggregateId());
    put(values, Role.PAYLOAD, new String(event.payload().bytes(), UTF_8));
    values.put(layout().sql(Role.CREATED_AT), "clock_timestamp()");
    execute(
        "INSERT INTO %s (%s) VALUES (%s)"
            .formatted(
                layout().table().sql(),
                String.join(", ", values.keySet()),
                String.join(", ", values.values())));
    layout()
        .headers()
        .ifPresent(
            headers ->
                execute(
                    "INSERT INTO %s VALUES ('%s', '{\"trace\": \"abc\"}')"
                        .formatted(headers.sql(), event.id())));
    return event.id().toString();
  }

  /** Writes an event that the relay gives up; returns its id. */
  protected final String dead(String key, String error) {
    String id = pending(key);
    if (!isHeld()) {
      settle(new Outcome.Dead(id, error));
      return id;
    }
    Map<Role, String> values = new LinkedHashMap<>();
    if (layout().lifecycle() instanceof Status status) {
      values.put(Role.STATUS, "'" + status.dead() + "'");
    } else if (layout().lifecycle() instanceof ProcessedFlag flag && flag.marksDead()) {
      values.put(Role.PROCESSED, "true");
      values.put(Role.DELIVERED_AT, "now() - interval '1 day'");
    }
    values.put(Role.ATTEMPTS, Integer.toString(layout().retryPolicy().maxAttempts()));
    values.put(Role.LAST_ERROR, "'" + error + "'");
    update(id, values);
    layout()
        .failures()
        .ifPresent(
            failures ->
                execute(
                    "INSERT INTO %s VALUES ('%s', '%s', 4, NULL, clock_timestamp(), '%s')"
                        .formatted(failures.sql(), id, key, error)));
    return id;
  }

  /** Writes an event that the relay gives up; returns its id. */
  protected final String dead(String key) {
    return dead(key, "broken");
  }

  /** Writes an event and delivers it; returns its id. */
  protected final String delivered(String key) {
    String id = pending(key);
    if (!isHeld()) {
      settle(new Outcome.Delivered(id));
      return id;
    }
    Map<Role, String> values = new LinkedHashMap<>();
    if (layout().lifecycle() instanceof Status status) {
      values.put(Role.STATUS, "'" + status.delivered() + "'");
    } else if (layout().lifecycle() instanceof ProcessedFlag) {
      values.put(Role.PROCESSED, "true");
    }
    values.put(Role.DELIVERED_AT, "clock_timestamp()");
    update(id, values);
    return id;
  }

  /** Whether the layout's lifecycle is a held one. */
  protected final boolean isHeld() {
    return layout().lifecycle() instanceof Held;
  }

  /**
   * The number of rows in a table beside the outbox table; none if the layout has no such table.
   */
  protected final long rowsBeside(Optional<TableName> table) {
    long[] result = new long[1];
    table.ifPresent(
        beside ->
            query(
                "SELECT count(*) FROM " + beside.sql(),
                value -> result[0] = Long.parseLong(value)));
    return result[0];
  }

  /** Runs PL/pgSQL statements before each entry is written to the audit table, from now on. */
  protected final void beforeEachAuditEntry(String statements) {
    execute(
        """
        CREATE FUNCTION before_audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          %s
          RETURN NEW;
        END
        $$"""
            .formatted(statements));
    execute(
        """
        CREATE TRIGGER before_audit BEFORE INSERT ON %s
        FOR EACH ROW EXECUTE FUNCTION before_audit()"""
            .formatted(layout().audit().sql()));
  }

  /** Ends {@link #beforeEachAuditEntry}. */
  protected final void nothingBeforeAuditEntries() {
    execute("DROP FUNCTION before_audit() CASCADE");
  }

  private void settle(Outcome outcome) {
    OutboxStore store = store();
    Claim claim = store.claim(upTo(100));
    store.settle(
        claim,
        ids(claim).stream()
            .map(id -> id.equals(outcome.id()) ? outcome : new Outcome.Released(id))
            .toList());
  }

  private void put(Map<String, String> values, Role role, @Nullable String value) {
    Optional<Column> column = layout().column(role);
    if (column.isPresent() && value != null) {
      values.put(
          column.get().sql(),
          "CAST('%s' AS %s)".formatted(value.replace("'", "''"), column.get().type()));
    }
  }

  private void update(String id, Map<Role, String> values) {
    String sets =
        values.entrySet().stream()
            .filter(value -> layout().column(value.getKey()).isPresent())
            .map(value -> layout().sql(value.getKey()) + " = " + value.getValue())
            .collect(joining(", "));
    execute(
        "UPDATE %s SET %s WHERE %s = '%s'"
            .formatted(layout().table().sql(), sets, layout().sql(Role.ID), id));
  }
}
