package dev.postcommit.inbox;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws away from the consumer. */
final class GuardedConsumerListener implements ConsumerListener {
  private static final Logger log = LoggerFactory.getLogger(GuardedConsumerListener.class);

  private final ConsumerListener listener;

  GuardedConsumerListener(ConsumerListener listener) {
    this.listener = listener;
  }

  private void tell(Consumer<ConsumerListener> what) {
    try {
      what.accept(listener);
    } catch (RuntimeException e) {
      log.warn("a consumer's listener failed", e);
    }
  }

  @Override
  public void processed(ReceivedEvent<?> event, Duration took) {
    tell(to -> to.processed(event, took));
  }

  @Override
  public void duplicate(ReceivedEvent<?> event) {
    tell(to -> to.duplicate(event));
  }

  @Override
  public void ignored(ReceivedEvent<?> event) {
    tell(to -> to.ignored(event));
  }

  @Override
  public void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {
    tell(to -> to.retrying(event, attempt, reason, delay));
  }

  @Override
  public void dead(DeadLetter letter) {
    tell(to -> to.dead(letter));
  }

  @Override
  public void inboxUnavailable(String reason) {
    tell(to -> to.inboxUnavailable(reason));
  }

  @Override
  public void inboxRecovered(Duration outage) {
    tell(to -> to.inboxRecovered(outage));
  }
}
