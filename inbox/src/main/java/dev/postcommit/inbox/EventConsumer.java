package dev.postcommit.inbox;

import java.util.List;

/**
 * Handles received events so that each has its effect once. Safe for use by many threads.
 *
 * <pre>{@code
 * EventConsumer inventory =
 *     EventConsumer.builder("inventory-service")
 *         .inbox(Inbox.transactional(store))
 *         .on("order.placed", OrderPlaced.class, (tx, event) -> stock.reserve(tx, event.data()))
 *         .build();
 * }</pre>
 *
 * <p>It is given messages by the adapter of a broker, or by your own code:
 *
 * <pre>{@code
 * Outcome outcome = inventory.handle(message);
 * }</pre>
 *
 * <p>It has no thread of its own, and never waits longer than handlers and stores do: what is to be
 * tried again is for the caller to give again.
 */
public interface EventConsumer {

  /** The name under which events are remembered, as {@code inventory-service}. */
  String name();

  /** Handles a message that waits for no other, for the first time. */
  default Outcome handle(ReceivedMessage message) {
    return handle(List.of(new Attempt(message))).get(0);
  }

  /**
   * Handles messages, in the order given as far as they are of equal {@link Attempt#order}, and
   * together where that saves time.
   *
   * @return what became of each, in the same order
   */
  List<Outcome> handle(List<Attempt> attempts);

  /** Forgets handled events whose time is over; see {@link IdempotencyStore#prune}. */
  long prune();
}
