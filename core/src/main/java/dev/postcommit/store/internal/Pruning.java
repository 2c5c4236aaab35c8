package dev.postcommit.store.internal;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.Daemons;
import dev.postcommit.internal.DurationText;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes delivered rows when their retention time is over, beside a relay. */
public final class Pruning implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Pruning.class);

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final int BATCH = 5000;

  private final OutboxAdmin admin;
  private final Layout layout;
  private final Duration retention;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("postcommit-maintenance"));

  /** Prunes what was delivered longer ago than {@code retention}; nothing if that is zero. */
  public Pruning(OutboxAdmin admin, Layout layout, Duration retention) {
    this.admin = admin;
    this.layout = layout;
    this.retention = retention;
  }

  /** Starts, if there is anything to prune. */
  public void start() {
    if (!retention.isZero() && layout.keepsDelivered()) {
      var unused =
          executor.scheduleWithFixedDelay(
              this::prune, FIRST.toSeconds(), INTERVAL.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private void prune() {
    try {
      long deleted = admin.prune(retention, BATCH);
      if (deleted > 0) {
        log.info("pruned {} events delivered over {} ago", deleted, DurationText.show(retention));
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
