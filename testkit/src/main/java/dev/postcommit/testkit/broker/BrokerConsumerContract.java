package dev.postcommit.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.spi.BrokerConsumer;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import org.junit.jupiter.api.Test;

/** How the consumer of every broker starts and ends; no broker runs. */
public abstract class BrokerConsumerContract {

  /** A consumer of a broker that does not answer. */
  protected abstract BrokerConsumer consumer(EventConsumer handler);

  private BrokerConsumer consumer() {
    return consumer(new ScriptedConsumer(item -> Outcome.Done.PROCESSED));
  }

  @Test
  void doesNothingBeforeItIsStarted() {
    BrokerConsumer consumer = consumer();
    assertThat(consumer.running()).isFalse();
    assertThat(consumer.problem()).isEmpty();
    assertThat(consumer.pending()).isZero();
    consumer.close();
    consumer.close();
    assertThatIllegalStateException().isThrownBy(consumer::start).withMessageContaining("closed");
  }

  @Test
  void startsAndStopsWithoutABroker() {
    BrokerConsumer consumer = consumer();
    consumer.start();
    assertThat(consumer.running()).isTrue();
    assertThatIllegalStateException().isThrownBy(consumer::start);
    consumer.close();
    consumer.close();
    assertThat(consumer.running()).isFalse();
  }
}
