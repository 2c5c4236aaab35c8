package dev.postcommit.testkit.contract;

import dev.postcommit.Event;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.util.Optional;

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

  /** Writes an event with this key, and a header if they are kept beside; returns its id. */
  protected final String pending(String key) {
    Event.Builder event = event(key).json("{\"k\":\"v\"}");
    if (layout().headers().isPresent()) {
      event.header("trace", "abc");
    }
    return enqueue(event.build()).get(0);
  }

  /** Writes an event that the relay gives up; returns its id. */
  protected final String dead(String key, String error) {
    String id = pending(key);
    settle(new Outcome.Dead(id, error));
    return id;
  }

  /** Writes an event that the relay gives up; returns its id. */
  protected final String dead(String key) {
    return dead(key, "broken");
  }

  /** Writes an event and delivers it; returns its id. */
  protected final String delivered(String key) {
    String id = pending(key);
    settle(new Outcome.Delivered(id));
    return id;
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
    store.close();
  }
}
