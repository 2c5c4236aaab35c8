package dev.postcommit.store.internal;

import dev.postcommit.store.Outcome;
import dev.postcommit.store.Outcome.Dead;
import dev.postcommit.store.Outcome.Delivered;
import dev.postcommit.store.Outcome.Retry;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Outcomes as the arrays that settling statements take. */
record Settlement(List<Line> lines) {

  /**
   * What one row becomes.
   *
   * @param status its next status
   * @param delay milliseconds until it is due, or null to leave its time alone
   * @param error why the attempt failed, or null if it did not
   */
  record Line(String id, String status, @Nullable Long delay, @Nullable String error) {
    boolean isDelivered() {
      return status.equals("delivered");
    }

    boolean isDead() {
      return status.equals("dead");
    }

    /** Whether the row goes back untried. */
    boolean isReleased() {
      return !isDelivered() && error == null;
    }
  }

  static Settlement of(Collection<? extends Outcome> outcomes) {
    return new Settlement(outcomes.stream().map(Settlement::line).toList());
  }

  static Line line(Outcome outcome) {
    if (outcome instanceof Delivered) {
      return new Line(outcome.id(), "delivered", null, null);
    }
    if (outcome instanceof Retry retry) {
      long delay = Math.max(retry.delay().toMillis(), 0);
      return new Line(retry.id(), "pending", delay, Stores.bounded(retry.error()));
    }
    if (outcome instanceof Dead dead) {
      return new Line(dead.id(), "dead", null, Stores.bounded(dead.error()));
    }
    return new Line(outcome.id(), "pending", null, null);
  }

  Settlement delivered() {
    return only(Line::isDelivered);
  }

  Settlement failed() {
    return only(line -> line.error() != null);
  }

  Settlement only(Predicate<Line> which) {
    return new Settlement(lines.stream().filter(which).toList());
  }

  String[] ids() {
    return lines.stream().map(Line::id).toArray(String[]::new);
  }

  String[] statuses() {
    return lines.stream().map(Line::status).toArray(String[]::new);
  }

  @Nullable Long[] delays() {
    return lines.stream().map(Line::delay).toArray(Long[]::new);
  }

  @Nullable String[] errors() {
    return lines.stream().map(Line::error).toArray(String[]::new);
  }

  /** One for each row that goes back untried, zero for the others. */
  Long[] untried() {
    return lines.stream().map(line -> line.isReleased() ? 1L : 0L).toArray(Long[]::new);
  }
}
