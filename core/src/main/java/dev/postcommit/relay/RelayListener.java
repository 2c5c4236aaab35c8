package dev.postcommit.relay;

import dev.postcommit.store.StoredEvent;
import java.time.Duration;

/**
 * Is told what a relay does; metrics and traces hang on it. Called on the relay's threads, so it
 * must be quick; what it throws is logged and otherwise ignored.
 */
public interface RelayListener {

  /** The listener that does nothing. */
  RelayListener NONE = new RelayListener() {};

  /** A batch was claimed; {@code took} is the time the database needed. */
  default void claimed(int events, Duration took) {}

  /** An event is about to be sent as {@code message}. */
  default void sending(StoredEvent event, Message message) {}

  /** The broker acknowledged an event; {@code took} is the time since it was sent. */
  default void delivered(StoredEvent event, Duration took) {}

  /** An attempt failed, and the event will be tried again after {@code delay}. */
  default void retrying(StoredEvent event, String reason, Duration delay) {}

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

  /** The database could not be used; the relay keeps trying. */
  default void databaseUnavailable(String reason) {}

  /** The database is usable again after {@code outage}. */
  default void databaseRecovered(Duration outage) {}
}
