package dev.postcommit.store;

import java.util.List;

/**
 * A batch of events taken for delivery, in the order they are to be delivered. Until the lease ends
 * no other relay is given these events or later ones of their keys.
 *
 * @param token identifies the claim to the store that gave it
 * @param events the events taken; empty if nothing was due
 */
public record Claim(long token, List<StoredEvent> events) {

  /** The claim of nothing. */
  public static final Claim EMPTY = new Claim(0, List.of());

  /** Keeps its own copy of the list. */
  public Claim {
    events = List.copyOf(events);
  }

  /** Whether nothing was due. */
  public boolean isEmpty() {
    return events.isEmpty();
  }
}
