package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.spi.BrokerConsumer;
import java.util.List;

/**
 * The broker that events come from.
 *
 * @param system its name in the words of OpenTelemetry's conventions
 * @param reader creates what feeds an event consumer from it, not started
 */
record ConsumerBroker(String system, Reader reader) {

  /** Feeds event consumers from the broker. */
  @FunctionalInterface
  interface Reader {

    /** What feeds {@code consumer}, not started. */
    List<? extends BrokerConsumer> of(EventConsumer consumer);
  }
}
