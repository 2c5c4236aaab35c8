package dev.postcommit.consumer.spi;

import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.LoggerFactory;

/** Feeds an event consumer from a broker. Safe for use by many threads. */
public abstract class BrokerConsumer implements AutoCloseable {
  private final ReadingLoop loop;
  private final String description;

  /**
   * A consumer that is not started.
   *
   * @param description what it reads and how, for the log
   */
  protected BrokerConsumer(ReadingLoop loop, String description) {
    this.loop = loop;
    this.description = description;
  }

  /**
   * Starts reading. If the broker cannot be reached yet, the consumer waits for it.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public final void start() {
    loop.start();
    LoggerFactory.getLogger(getClass()).info("{} reads {}", loop.consumer(), description);
  }

  /** Whether it was started and not closed, and none of its threads has ended by an error. */
  public final boolean running() {
    return loop.running();
  }

  /**
   * Why it cannot read from the broker, send a dead letter or make progress, if so. If one of its
   * threads has ended by an error, it no longer {@linkplain #running runs}: close it.
   */
  public final Optional<String> problem() {
    return loop.problem();
  }

  /** The name of the event consumer that it feeds. */
  public final String name() {
    return loop.consumer();
  }

  /**
   * How many messages in the broker are not handled yet, including those that are pending; empty if
   * that is not known.
   */
  public final OptionalLong lag() {
    return loop.lag();
  }

  /** How many messages were fetched and are not done: they wait, or are being handled. */
  public final int pending() {
    return loop.undone();
  }

  /**
   * Begins nothing more, waits for handlers up to the close timeout and interrupts them then, and
   * acknowledges what is done. Other messages are left to the next consumer. It may take a few
   * seconds more if the broker does not answer. A handler that calls this does not wait for itself:
   * the consumer stops after it.
   */
  @Override
  public final void close() {
    loop.close();
  }
}
