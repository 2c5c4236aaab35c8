package dev.postcommit.examples.minichat.billing;

import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.ProcessedEvent;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.examples.minichat.usage.UsageEvent;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Charges tenants for what their turns have used, in a database of its own.
 *
 * <p>Usage events arrive at least once. Their dedupe key is marked as processed in the transaction
 * that charges, so a second delivery charges nothing. Safe for use by many threads and processes.
 */
public final class Billing implements Publisher.Callback {
  private final DataSource dataSource;
  private final JdbcIdempotencyStore inbox;
  private final AtomicLong duplicates = new AtomicLong();

  /** A consumer on tables that are there. */
  public Billing(DataSource dataSource) {
    this.dataSource = dataSource;
    this.inbox = JdbcIdempotencyStore.builder(dataSource, "billing").build();
  }

  /** Creates billing's tables. */
  public static void createTables(DataSource dataSource, long policyVersion) throws SQLException {
    Sql.script(dataSource, Billing.class, "/dev/postcommit/examples/minichat/billing.sql");
    Sql.transact(
        dataSource, tx -> Sql.update(tx, "INSERT INTO policies VALUES (?)", policyVersion));
  }

  /** How many deliveries were of events that had been charged before. */
  public long duplicates() {
    return duplicates.get();
  }

  /** Charges for the event in a message, unless that was done before. */
  @Override
  public void deliver(Message message) throws IOException, SQLException {
    charge(UsageEvent.fromJson(message.body()));
  }

  private void charge(UsageEvent event) throws SQLException {
    String key = event.dedupeKey();
    UUID turn = event.turnId();
    if (key == null || turn == null) {
      throw new IllegalArgumentException("usage without a turn or a dedupe key cannot be charged");
    }
    boolean charged =
        Sql.transact(
            dataSource,
            tx -> {
              ProcessedEvent processed = new ProcessedEvent(key, null, null);
              if (inbox.markProcessed(tx, List.of(processed)).isEmpty()) {
                return false;
              }
              charge(tx, event, turn);
              return true;
            });
    if (!charged) {
      duplicates.incrementAndGet();
    }
  }

  private static void charge(Connection tx, UsageEvent event, UUID turn) throws SQLException {
    long version = event.policyVersionApplied();
    if (Sql.query(tx, "SELECT 1 FROM policies WHERE version = ?", row -> row.getInt(1), version)
        .isEmpty()) {
      throw new IllegalStateException("billing knows no policy of version " + version);
    }
    Sql.update(
        tx,
        "INSERT INTO charges (tenant_id, turn_id, credits_micro) VALUES (?, ?, ?)",
        event.tenantId(),
        turn,
        event.actualCreditsMicro());
    Sql.update(
        tx,
        """
        INSERT INTO accounts AS a VALUES (?, ?)
        ON CONFLICT (tenant_id) DO UPDATE SET billed_micro = a.billed_micro + excluded.billed_micro""",
        event.tenantId(),
        event.actualCreditsMicro());
  }
}
