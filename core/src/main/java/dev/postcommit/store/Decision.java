package dev.postcommit.store;

import org.jspecify.annotations.Nullable;

/**
 * An operator's word: on dead events, kept in the audit table with each event it changed; on
 * whether relays pause, kept until the next such word; or on events that wait for a topic, kept
 * until the topic takes messages.
 *
 * @param operator who decided; not blank
 * @param reason why, or null if none is given; not blank
 */
public record Decision(String operator, @Nullable String reason) {

  /** Refuses blanks. */
  public Decision {
    if (operator.isBlank()) {
      throw new IllegalArgumentException("the operator must not be blank");
    }
    if (reason != null && reason.isBlank()) {
      throw new IllegalArgumentException("the reason must not be blank; null is none");
    }
  }
}
