package dev.postcommit.server;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.Daemons;
import dev.postcommit.server.settings.Durations;
import dev.postcommit.store.OutboxAdmin;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a relay process does beside delivering: pruning. */
final class Maintenance implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Maintenance.class);

  private static final Duration FIRST_PRUNE = Duration.ofSeconds(10);
  private static final Duration PRUNE_INTERVAL = Duration.ofMinutes(5);
  private static final int PRUNE_BATCH = 5000;

  private final OutboxAdmin admin;
  private final OutboxTable table;
  private final Duration retention;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("postcommit-maintenance"));

  /** Prunes what was delivered longer ago than {@code retention}; nothing if that is zero. */
  Maintenance(OutboxAdmin admin, OutboxTable table, Duration retention) {
    this.admin = admin;
    this.table = table;
    this.retention = retention;
  }

  void start() {
    if (!retention.isZero() && table.layout().keepsDelivered()) {
      var unused =
          executor.scheduleWithFixedDelay(
              this::prune, FIRST_PRUNE.toSeconds(), PRUNE_INTERVAL.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private void prune() {
    try {
      long deleted = admin.prune(retention, PRUNE_BATCH);
      if (deleted > 0) {
        log.info("pruned {} events delivered over {} ago", deleted, Durations.show(retention));
      }
    } catch (PostcommitException e) {
      log.debug("could not prune, will try again", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
