package dev.postcommit.internal.relay.health;

import dev.postcommit.support.DurationText;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the broker, the database or the standbys can be used; reports each change once. */
public final class Availability {
  private static final Logger log = LoggerFactory.getLogger(Availability.class);

  /**
   * An outage that has not ended.
   *
   * @param reason why, as far as known
   * @param lasting since when
   */
  public record Outage(String reason, Duration lasting) {}

  private final String what;
  private final Consumer<String> onLost;
  private final Consumer<Duration> onRegained;
  private @Nullable Long lostAt;
  private @Nullable String told;
  private String reason = "";

  public Availability(String what, Consumer<String> onLost, Consumer<Duration> onRegained) {
    this.what = what;
    this.onLost = onLost;
    this.onRegained = onRegained;
  }

  public synchronized boolean isAvailable() {
    return lostAt == null;
  }

  /** The present outage, if there is one. */
  public synchronized Optional<Outage> outage() {
    return lostAt == null
        ? Optional.empty()
        : Optional.of(new Outage(reason, Duration.ofNanos(System.nanoTime() - lostAt)));
  }

  /** Notes that the what cannot be used. */
  public synchronized void lost(String reason) {
    if (lostAt == null) {
      lostAt = System.nanoTime();
      told = null;
      this.reason = reason;
      log.warn("{} unavailable, waiting for it: {}", what, LogText.line(reason));
      onLost.accept(reason);
    }
  }

  /** Notes why the what cannot be used, after it was asked; another reason is told too. */
  public synchronized void stillLost(String reason) {
    if (lostAt == null) {
      lost(reason);
    } else if (!reason.equals(told)) {
      log.warn("{} still unavailable: {}", what, LogText.line(reason));
    }
    told = reason;
    this.reason = reason;
  }

  /** Notes another reason for a present outage, without telling of it. */
  public synchronized void because(String reason) {
    this.reason = reason;
  }

  public synchronized void regained() {
    if (lostAt != null) {
      Duration outage = Duration.ofNanos(System.nanoTime() - lostAt);
      lostAt = null;
      log.info("{} available again after {}", what, DurationText.spoken(outage));
      onRegained.accept(outage);
    }
  }
}
