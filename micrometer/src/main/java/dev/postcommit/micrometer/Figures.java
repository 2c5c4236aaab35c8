package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Count;
import dev.postcommit.store.OutboxAdmin.Gauges;
import dev.postcommit.store.OutboxAdmin.LogGauges;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The state of a table when it was last read; NaN stands for an unknown number. */
record Figures(
    double pending,
    double inFlight,
    double delayed,
    double dead,
    double oldestAgeSeconds,
    double relays,
    double diverted,
    double leader) {

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The state of a table that could not be read. */
  static final Figures UNKNOWN =
      new Figures(
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN);

  static Figures read(OutboxAdmin admin, Layout layout) {
    Gauges gauges = admin.gauges();
    @Nullable LogGauges log = gauges.log();
    boolean keepsCreation = layout.column(Role.CREATED_AT).isPresent();
    return new Figures(
        rows(gauges.pending()),
        gauges.inFlight(),
        rows(gauges.delayed()),
        rows(gauges.dead()),
        keepsCreation ? seconds(gauges.oldestAge()) : Double.NaN,
        gauges.relays(),
        log == null ? Double.NaN : rows(log.diverted()),
        log == null ? Double.NaN : log.hasLeader() ? 1 : 0);
  }

  private static double rows(@Nullable Count count) {
    return count == null ? Double.NaN : count.rows();
  }

  private static double seconds(@Nullable Duration age) {
    return age == null ? Double.NaN : Math.max(0, age.toNanos() / NANOS);
  }
}
