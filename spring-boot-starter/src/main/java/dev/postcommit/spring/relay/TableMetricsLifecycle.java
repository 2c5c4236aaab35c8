package dev.postcommit.spring.relay;

import dev.postcommit.micrometer.TableMetrics;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** The metrics of the table, read while the relay runs. */
final class TableMetricsLifecycle implements SmartLifecycle {
  private final Supplier<TableMetrics> metrics;
  private volatile @Nullable TableMetrics running;

  TableMetricsLifecycle(Supplier<TableMetrics> metrics) {
    this.metrics = metrics;
  }

  @Override
  public synchronized void start() {
    if (running == null) {
      TableMetrics next = metrics.get();
      next.start();
      running = next;
    }
  }

  @Override
  public synchronized void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  @Override
  public int getPhase() {
    return RelayLifecycle.PHASE;
  }
}
