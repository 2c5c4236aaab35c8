package dev.postcommit.relay;

import java.time.Duration;
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
   * Whether the broker can be reached now; answers within a few seconds. The relay asks before it
   * begins and after a message ended {@link Delivery.Unavailable}, and never while it hands
   * messages over.
   */
  boolean ready();

  /** The longest time after which {@link #send} has completed; shorter than the relay's lease. */
  Duration deliveryTimeout();

  /**
   * Whether messages of one topic and key may be handed over without waiting for each other. A
   * publisher that says so promises: if one of them ends {@link Delivery.Retryable} or {@link
   * Delivery.Unavailable}, no later one that was given before it ended is delivered. It may end
   * everything it is given as unavailable until {@link #ready} is called.
   */
  default boolean keepsOrder() {
    return false;
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
      public boolean ready() {
        return true;
      }

      @Override
      public Duration deliveryTimeout() {
        return deliveryTimeout;
      }
    };
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
