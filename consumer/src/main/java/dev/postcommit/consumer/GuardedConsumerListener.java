package dev.postcommit.consumer;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all listeners of a consumer, and logs what they throw. */
final class GuardedConsumerListener implements ConsumerListener {
  private static final Logger log = LoggerFactory.getLogger(GuardedConsumerListener.class);

  private final List<ConsumerListener> listeners;

  GuardedConsumerListener(List<ConsumerListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  private void tell(Consumer<ConsumerListener> what) {
    for (ConsumerListener listener : listeners) {
      guarded(() -> what.accept(listener));
    }
  }

  private static void guarded(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      log.warn("a consumer's listener failed", e);
    }
  }

  /** The first to hear of a call is the last to hear of its end, so that spans are nested. */
  @Override
  public Handling handling(ReceivedEvent<?> event, int attempt) {
    if (listeners.isEmpty()) {
      return Handling.IGNORED;
    }
    Deque<Handling> handlings = new ArrayDeque<>(listeners.size());
    tell(to -> handlings.push(to.handling(event, attempt)));
    return error -> handlings.forEach(each -> guarded(() -> each.ended(error)));
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
  public void dead(DeadLetter deadLetter) {
    tell(to -> to.dead(deadLetter));
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
