package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.OutboxAdmin;
import java.util.concurrent.TimeUnit;

/** How a table stood when it was read; what is not known is not a number. */
record Figures(
    double pending,
    double inFlight,
    double delayed,
    double dead,
    double oldestAgeSeconds,
    double relays) {

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The figures of a table that could not be read. */
  static final Figures UNKNOWN =
      new Figures(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  static Figures read(OutboxAdmin admin, Layout layout) {
    OutboxAdmin.Status status = admin.status();
    boolean keepsCreation = layout.column(Role.CREATED_AT).isPresent();
    return new Figures(
        status.pending(),
        status.inFlight(),
        status.delayed(),
        status.dead(),
        keepsCreation ? Math.max(0, status.oldestAge().toNanos() / NANOS) : Double.NaN,
        status.relays());
  }
}
