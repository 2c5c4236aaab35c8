package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.EventConsumer;

/**
 * Changes what settings do not: retries, permanent errors, the envelope, listeners. Each bean of
 * this type is given the builder of the application's consumer.
 */
@FunctionalInterface
public interface EventConsumerCustomizer {

  /** Sets something on the builder of the consumer. */
  void customize(EventConsumer.Builder consumer);
}
