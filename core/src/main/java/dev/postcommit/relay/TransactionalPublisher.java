package dev.postcommit.relay;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A publisher to a broker that keeps the relay's checkpoint, and takes messages and checkpoint in
 * one transaction.
 *
 * <p>With one of these a relay on a log delivers each event exactly once to those who read only
 * what is committed. Of the relays of one table one at a time has begun, and nothing comes of what
 * the others do. Events that could not be delivered in their turn go by {@link #send}, at least
 * once.
 */
public interface TransactionalPublisher extends Publisher {

  /**
   * Ends what others, or this one before, have begun, so that nothing more comes of it. May take
   * some seconds.
   *
   * @return the checkpoint that was recorded last, if any was
   * @throws dev.postcommit.PostcommitException if that is not possible now, with the reason
   */
  Optional<String> begin();

  /**
   * Delivers messages, in order, and records the checkpoint, all or nothing.
   *
   * @param messages the messages; with none the checkpoint alone is recorded
   * @param checkpoint asked for once the messages are on their way; if it throws, nothing is
   *     delivered, and what it threw is thrown
   */
  Result deliver(List<Message> messages, Supplier<String> checkpoint);

  /** What became of messages and checkpoint. */
  sealed interface Result {

    /** All is delivered and recorded. */
    record Committed() implements Result {}

    /**
     * Nothing is delivered or recorded, because of some of the messages; without them it can be
     * tried again.
     *
     * @param refusals what keeps these messages, by their index, from being delivered: {@link
     *     Delivery.Rejected}, {@link Delivery.Retryable} or {@link Delivery.TopicUnavailable}; not
     *     empty
     */
    record Refused(Map<Integer, Delivery> refusals) implements Result {

      /** Keeps a copy of the map. */
      public Refused {
        refusals = Map.copyOf(refusals);
      }
    }

    /** Not known before the next {@link TransactionalPublisher#begin}: the broker does not work. */
    record Unavailable(String reason, @Nullable Throwable cause) implements Result {}

    /** Not known before the next {@link TransactionalPublisher#begin}: another has begun. */
    record Superseded(String reason) implements Result {}
  }
}
