package dev.postcommit.relay;

import dev.postcommit.store.StoredEvent;
import java.util.Optional;

/** Decides before an event is sent whether it may be. Safe for use by many threads. */
@FunctionalInterface
public interface EventCheck {

  /** The check that lets every event pass. */
  EventCheck NONE = event -> Optional.empty();

  /**
   * What is wrong with an event, or empty if it may be sent. An event with a violation is never
   * sent: it becomes dead, is counted by {@link RelayListener#violation}, and the others go on.
   */
  Optional<String> violation(StoredEvent event);
}
