package dev.postcommit.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The sending side of one broker. Safe for use by many threads.
 *
 * <p>The relay does not close a publisher; whoever made it does, after the relay.
 */
public interface Publisher extends AutoCloseable {

  /**
   * Hands a message to the broker. The stage completes with what became of it, within {@link
   * #deliveryTimeout()}; it does not complete exceptionally, though the relay survives one that
   * does. The call itself may block for a moment, if the broker takes messages more slowly than
   * they are given.
   */
  CompletionStage<Delivery> send(Message message);

  /**
   * Asks whether the broker can be used now; answers within a few seconds. Empty if it can, else
   * why it cannot and what to do, for an operator to read. The relay asks before it begins and
   * after a message ended {@link Delivery.Unavailable}, and never while it hands messages over.
   */
  Optional<String> problem();

  /** The longest time after which {@link #send} has completed; shorter than the relay's lease. */
  Duration deliveryTimeout();

  /**
   * The most bytes of a message that can be delivered, with its key and headers, if that is known.
   * A relay warns when it starts if {@linkplain Relay.Builder#maxPayloadBytes events} can be
   * larger.
   */
  default OptionalInt maxMessageBytes() {
    return OptionalInt.empty();
  }

  /**
   * Whether the messages of one topic and key in a {@link Handover} may be sent without waiting for
   * each other. A publisher that says so promises: if one of them ends otherwise than {@link
   * Delivery.Delivered} or {@link Delivery.Rejected}, no later one of the handover is delivered;
   * those end {@link Delivery.HeldBack}, or unavailable.
   */
  default boolean keepsOrder() {
    return false;
  }

  /**
   * Begins to hand over messages that belong together: what a relay has claimed at once. Of one key
   * there is one handover at a time, and the next begins when all messages of it have ended.
   *
   * <p>By default every message is {@linkplain #send sent} as it comes. A publisher that does
   * better when it knows what follows may keep messages until the handover is closed.
   */
  default Handover handover() {
    return this::send;
  }

  @Override
  default void close() {}

  /**
   * A publisher that calls {@code callback} with each message, on the relay's thread: returning
   * means delivered, throwing means retryable.
   *
   * @param deliveryTimeout the longest time the callback takes for one message
   */
  static Publisher callback(Duration deliveryTimeout, Callback callback) {
    return new Publisher() {
      @Override
      public CompletionStage<Delivery> send(Message message) {
        Delivery delivery = Delivery.DELIVERED;
        try {
          callback.deliver(message);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          delivery = new Delivery.Unavailable("interrupted", e);
        } catch (Exception e) {
          delivery = new Delivery.Retryable(String.valueOf(e), e);
        }
        return CompletableFuture.completedFuture(delivery);
      }

      @Override
      public Optional<String> problem() {
        return Optional.empty();
      }

      @Override
      public Duration deliveryTimeout() {
        return deliveryTimeout;
      }
    };
  }

  /** Messages handed over one after the other, by one thread. */
  @FunctionalInterface
  interface Handover extends AutoCloseable {

    /**
     * Hands a message over, as {@link Publisher#send} does. Its time runs from the end of the
     * handover.
     */
    CompletionStage<Delivery> send(Message message);

    /** Says that there are no more; what is still kept is sent now. Does not wait for outcomes. */
    @Override
    default void close() {}
  }

  /** Delivers one message, or throws. */
  @FunctionalInterface
  interface Callback {
    /**
     * Delivers the message.
     *
     * @throws Exception if it could not be delivered now
     */
    void deliver(Message message) throws Exception;
  }
}
