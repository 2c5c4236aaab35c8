package dev.postcommit.relay;

import dev.postcommit.store.StoredEvent;
import java.time.Duration;

/**
 * Observes a relay; metrics and traces are built on it. Its methods run on the relay's threads, so
 * they must be quick; exceptions are logged and otherwise ignored.
 */
public interface RelayListener {

  /** The relay polled its table and took {@code taken} events, none if nothing was due. */
  default void polled(int taken) {}

  /** A batch was claimed; {@code took} is the time the database needed. */
  default void claimed(int events, Duration took) {}

  /**
   * An event is about to be sent as {@code message}.
   *
   * @return the message to send, which may have more headers than this one
   */
  default Message sending(StoredEvent event, Message message) {
    return message;
  }

  /**
   * The publisher said what became of an event it was to send; {@code took} is the time since then.
   */
  default void answered(StoredEvent event, Delivery delivery, Duration took) {}

  /** An attempt failed, and the event will be tried again after {@code delay}. */
  default void retrying(StoredEvent event, String reason, Duration delay) {}

  /**
   * The broker could not take an event, which is not to blame; it is due again after {@code delay},
   * and no attempt counts.
   */
  default void deferred(StoredEvent event, String reason, Duration delay) {}

  /** An event may not be sent as it is, and never will be; {@link #dead} follows. */
  default void violation(StoredEvent event, String reason) {}

  /** An event is given up. */
  default void dead(StoredEvent event, String reason) {}

  /** A batch was settled; {@code took} is the time the database needed. */
  default void settled(int events, Duration took) {}

  /** The lease on a batch ended before it was settled; its events are delivered again. */
  default void leaseLost(int events) {}

  /** The broker became unavailable; nothing is claimed until {@link #brokerRecovered}. */
  default void brokerUnavailable(String reason) {}

  /** The broker is available again after {@code outage}. */
  default void brokerRecovered(Duration outage) {}

  /** A topic takes no messages; events for it wait until {@link #topicRecovered}. */
  default void topicUnavailable(String topic, String reason) {}

  /** A topic takes messages again after {@code outage}, or no event waits for it any more. */
  default void topicRecovered(String topic, Duration outage) {}

  /** The database could not be used; the relay keeps trying. */
  default void databaseUnavailable(String reason) {}

  /** The database is usable again after {@code outage}. */
  default void databaseRecovered(Duration outage) {}

  /**
   * Standbys have {@code events} events of a batch on disk, which may be sent now; {@code took} is
   * the time that the batch waited for that.
   */
  default void replicated(int events, Duration took) {}

  /**
   * A batch has waited for standbys for a second; nothing is sent until {@link #standbysRecovered}.
   */
  default void standbysUnavailable(String reason) {}

  /** Standbys have what the relay waited for, after {@code outage}. */
  default void standbysRecovered(Duration outage) {}

  /**
   * Delivered rows whose retention time is over were deleted, {@code events} of them: none if none
   * was old enough.
   */
  default void pruned(long events) {}

  /**
   * Delivered rows whose retention time is over could not be deleted; the relay keeps trying, and
   * calls this each time until {@link #pruned}.
   */
  default void pruneFailed(String reason) {}

  /** An operator has paused the table; nothing is claimed until {@link #resumed}. */
  default void paused(String reason) {}

  /** The table is not paused any more. */
  default void resumed() {}
}
