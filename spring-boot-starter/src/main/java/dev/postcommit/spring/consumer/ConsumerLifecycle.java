package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.spi.BrokerConsumer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the consumer with the application.
 *
 * <p>It is built when all beans exist, so that mistakes are found before anything starts. Spring
 * may stop and restart an application, but what reads from a broker runs only once, so each start
 * creates it anew.
 */
final class ConsumerLifecycle implements SmartInitializingSingleton, SmartLifecycle {

  /**
   * Starts after the web server, and stops before it stops to take requests, so that handlers can
   * use whatever the application offers.
   */
  static final int PHASE = DEFAULT_PHASE - 512;

  private final Supplier<EventConsumer> consumers;
  private final ConsumerBroker broker;
  private @Nullable EventConsumer consumer;
  private volatile List<BrokerConsumer> running = List.of();

  /**
   * A consumer that is not built yet.
   *
   * @param consumers builds it, or says why it cannot be
   */
  ConsumerLifecycle(Supplier<EventConsumer> consumers, ConsumerBroker broker) {
    this.consumers = consumers;
    this.broker = broker;
  }

  @Override
  public void afterSingletonsInstantiated() {
    EventConsumer built = consumers.get();
    // Settings are checked before anything starts.
    broker.reader().of(built).forEach(BrokerConsumer::close);
    consumer = built;
  }

  @Override
  public synchronized void start() {
    if (running.isEmpty() && consumer != null) {
      running = List.copyOf(broker.reader().of(consumer));
      running.forEach(BrokerConsumer::start);
    }
  }

  /** Waits for handlers; all that read end at the same time, not one after the other. */
  @Override
  public synchronized void stop() {
    List<Thread> closing =
        running.stream().map(each -> new Thread(each::close, "postcommit-close")).toList();
    closing.forEach(Thread::start);
    try {
      for (Thread thread : closing) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    running = List.of();
  }

  @Override
  public boolean isRunning() {
    return !running.isEmpty();
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** What reads from the broker now; empty if it is not started. */
  List<BrokerConsumer> running() {
    return running;
  }
}
