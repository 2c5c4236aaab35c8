package dev.postcommit.relay;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A publisher to a broker that stores the relay's checkpoint, and takes messages and checkpoint in
 * one transaction.
 *
 * <p>With such a publisher, a relay on a log delivers each event exactly once to consumers that
 * read only committed messages. Of the relays of one table, the newest to {@link #begin} fences the
 * others. Diverted events are sent by {@link #send}, at least once.
 */
public interface TransactionalPublisher extends Publisher {

  /**
   * Fences other relays, and ends their open transactions and this one's own. May take some
   * seconds.
   *
   * @return the last checkpoint, if there is one
   * @throws dev.postcommit.PostcommitException if that is not possible now, with the reason
   */
  Optional<String> begin();

  /**
   * Delivers messages, in order, and records the checkpoint, all or nothing.
   *
   * @param messages the messages; if there are none, only the checkpoint is recorded
   * @param checkpoint called once the messages are on their way; if it throws, nothing is
   *     delivered, and the exception is rethrown
   */
  Result deliver(List<Message> messages, Supplier<String> checkpoint);

  /** What became of messages and checkpoint. */
  sealed interface Result {

    /** Everything is delivered and recorded. */
    record Committed() implements Result {}

    /**
     * Nothing is delivered or recorded because of some messages; the others can be tried again
     * without them.
     *
     * @param refusals why these messages, by index, cannot be delivered: {@link Delivery.Rejected},
     *     {@link Delivery.Retryable} or {@link Delivery.TopicUnavailable}; not empty
     */
    record Refused(Map<Integer, Delivery> refusals) implements Result {

      /** Keeps a copy of the map. */
      public Refused {
        refusals = Map.copyOf(refusals);
      }
    }

    /** Unknown until the next {@link TransactionalPublisher#begin}: the broker does not work. */
    record Unavailable(String reason, @Nullable Throwable cause) implements Result {}

    /** Unknown until the next {@link TransactionalPublisher#begin}: another relay has begun. */
    record Superseded(String reason) implements Result {}
  }
}
