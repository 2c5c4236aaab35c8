package dev.postcommit.internal.store;

import dev.postcommit.internal.jdbc.RecordedErrors;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.Outcome.Dead;
import dev.postcommit.store.Outcome.Deferred;
import dev.postcommit.store.Outcome.Delivered;
import dev.postcommit.store.Outcome.Retry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Outcomes as the arrays that settling statements take. */
public record Settlement(List<Line> lines) {

  /**
   * What one row becomes.
   *
   * @param status its next status
   * @param delay milliseconds until it is due, or null to leave its time alone
   * @param error why the event was not delivered, or null if it was or nothing was tried
   * @param counts whether the attempt counts
   */
  public record Line(
      String id, String status, @Nullable Long delay, @Nullable String error, boolean counts) {
    public boolean isDelivered() {
      return status.equals("delivered");
    }

    public boolean isDead() {
      return status.equals("dead");
    }

    /** Whether the row goes back untried. */
    public boolean isReleased() {
      return !isDelivered() && error == null;
    }
  }

  public static Settlement of(Collection<? extends Outcome> outcomes) {
    return new Settlement(outcomes.stream().map(Settlement::line).toList());
  }

  public static Line line(Outcome outcome) {
    if (outcome instanceof Delivered) {
      return new Line(outcome.id(), "delivered", null, null, true);
    }
    if (outcome instanceof Retry retry) {
      return new Line(
          retry.id(),
          "pending",
          millis(retry.delay()),
          RecordedErrors.bounded(retry.error()),
          true);
    }
    if (outcome instanceof Deferred deferred) {
      String error = RecordedErrors.bounded(deferred.error());
      return new Line(deferred.id(), "pending", millis(deferred.delay()), error, false);
    }
    if (outcome instanceof Dead dead) {
      return new Line(dead.id(), "dead", null, RecordedErrors.bounded(dead.error()), true);
    }
    return new Line(outcome.id(), "pending", null, null, false);
  }

  private static long millis(Duration delay) {
    return Math.max(delay.toMillis(), 0);
  }

  public Settlement delivered() {
    return only(Line::isDelivered);
  }

  public Settlement failed() {
    return only(line -> line.error() != null);
  }

  public Settlement only(Predicate<Line> which) {
    return new Settlement(lines.stream().filter(which).toList());
  }

  public String[] ids() {
    return lines.stream().map(Line::id).toArray(String[]::new);
  }

  public String[] statuses() {
    return lines.stream().map(Line::status).toArray(String[]::new);
  }

  public @Nullable Long[] delays() {
    return lines.stream().map(Line::delay).toArray(Long[]::new);
  }

  public @Nullable String[] errors() {
    return lines.stream().map(Line::error).toArray(String[]::new);
  }

  /** One for each row whose attempt does not count, zero for the others. */
  public Long[] uncounted() {
    return lines.stream().map(line -> line.counts() ? 0L : 1L).toArray(Long[]::new);
  }
}
