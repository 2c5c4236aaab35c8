package dev.postcommit.internal.factory;

import dev.postcommit.Outbox;
import dev.postcommit.internal.admin.JdbcAdmin;
import dev.postcommit.internal.admin.LogAdmin;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.claimed.ClaimedStore;
import dev.postcommit.internal.store.held.HeldStore;
import dev.postcommit.internal.store.leased.LeasedStore;
import dev.postcommit.internal.store.log.LogStore;
import dev.postcommit.internal.write.JdbcOutbox;
import dev.postcommit.internal.write.LogOutbox;
import dev.postcommit.internal.write.WritingRules;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.OutboxAdmin;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Creates what implements the public interfaces, for the lifecycle of a layout. */
public final class Stores {

  /** How long a claim skips rows that cannot be claimed: all other events lie behind them. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  /** The same for the diverted events of a log, which has others to deliver meanwhile. */
  private static final Duration PATIENCE_OF_DIVERTED = Duration.ofMillis(5);

  private Stores() {}

  /** A store for the layout's lifecycle. */
  public static RelayStore open(DataSource dataSource, Layout layout, UUID worker) {
    return open(dataSource, layout, worker, System::nanoTime);
  }

  /**
   * A store for the layout's lifecycle.
   *
   * @param nanoTime the clock by which it decides what to scan when
   */
  public static RelayStore open(
      DataSource dataSource, Layout layout, UUID worker, LongSupplier nanoTime) {
    Database database = new Database(dataSource, layout);
    if (layout.lifecycle() instanceof Claimed) {
      return new ClaimedStore(database, Optional.empty(), worker, PATIENCE, nanoTime);
    }
    if (layout.isLog()) {
      return log(dataSource, layout, worker, null, nanoTime);
    }
    return layout.isHeld()
        ? new HeldStore(database, nanoTime)
        : new LeasedStore(database, worker, nanoTime);
  }

  /** A store for a log whose checkpoint is kept elsewhere. */
  public static CheckpointedLog open(
      DataSource dataSource, Layout layout, UUID worker, Checkpoints checkpoints) {
    return open(dataSource, layout, worker, checkpoints, System::nanoTime);
  }

  /**
   * A store for a log.
   *
   * @param checkpoints where its checkpoint is kept; null for the table alone
   * @param nanoTime the clock by which it renews, pauses and polls again
   */
  public static CheckpointedLog open(
      DataSource dataSource,
      Layout layout,
      UUID worker,
      @Nullable Checkpoints checkpoints,
      LongSupplier nanoTime) {
    if (!layout.isLog()) {
      throw new IllegalArgumentException("the " + layout.name() + " layout has no checkpoint");
    }
    return log(dataSource, layout, worker, checkpoints, nanoTime);
  }

  private static LogStore log(
      DataSource dataSource,
      Layout layout,
      UUID worker,
      @Nullable Checkpoints checkpoints,
      LongSupplier nanoTime) {
    Layout table = layout.diverted().orElseThrow();
    ClaimedStore diverted =
        new ClaimedStore(
            new Database(dataSource, table),
            layout.cursor(),
            worker,
            PATIENCE_OF_DIVERTED,
            nanoTime);
    return new LogStore(new Database(dataSource, layout), diverted, worker, checkpoints, nanoTime);
  }

  /** An outbox for the layout's lifecycle. */
  public static Outbox outbox(Layout layout, WritingRules rules) {
    Optional<TableName> keys = layout.dedupeKeys();
    JdbcOutbox outbox = new JdbcOutbox(layout, keys, rules);
    return layout
        .diverted()
        .<Outbox>map(diverted -> new LogOutbox(outbox, new JdbcOutbox(diverted, keys, rules)))
        .orElse(outbox);
  }

  /** An admin for the layout's lifecycle. */
  public static OutboxAdmin admin(DataSource dataSource, Layout layout) {
    Database database = new Database(dataSource, layout);
    return layout
        .diverted()
        .<OutboxAdmin>map(diverted -> new LogAdmin(database, new Database(dataSource, diverted)))
        .orElseGet(() -> new JdbcAdmin(database));
  }
}
