package dev.postcommit.internal.relay;

import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all listeners of a relay, and keeps what they throw away from it. */
final class GuardedListener implements RelayListener {
  private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

  private final List<RelayListener> listeners;

  GuardedListener(List<RelayListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  private void tell(Consumer<RelayListener> what) {
    for (RelayListener listener : listeners) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error e) {
        Fatal.rethrow(e);
        failed(e);
      }
    }
  }

  private static void failed(Throwable e) {
    log.warn("a relay listener failed", e);
  }

  @Override
  public void polled(int taken) {
    tell(to -> to.polled(taken));
  }

  @Override
  public void claimed(int events, Duration took) {
    tell(to -> to.claimed(events, took));
  }

  @Override
  public Message sending(StoredEvent event, Message message) {
    Message sent = message;
    for (RelayListener listener : listeners) {
      try {
        sent = listener.sending(event, sent);
      } catch (RuntimeException | Error e) {
        Fatal.rethrow(e);
        failed(e);
      }
    }
    return sent;
  }

  @Override
  public void answered(StoredEvent event, Delivery delivery, Duration took) {
    tell(to -> to.answered(event, delivery, took));
  }

  @Override
  public void retrying(StoredEvent event, String reason, Duration delay) {
    tell(to -> to.retrying(event, reason, delay));
  }

  @Override
  public void deferred(StoredEvent event, String reason, Duration delay) {
    tell(to -> to.deferred(event, reason, delay));
  }

  @Override
  public void topicUnavailable(String topic, String reason) {
    tell(to -> to.topicUnavailable(topic, reason));
  }

  @Override
  public void topicRecovered(String topic, Duration outage) {
    tell(to -> to.topicRecovered(topic, outage));
  }

  @Override
  public void violation(StoredEvent event, String reason) {
    tell(to -> to.violation(event, reason));
  }

  @Override
  public void dead(StoredEvent event, String reason) {
    tell(to -> to.dead(event, reason));
  }

  @Override
  public void settled(int events, Duration took) {
    tell(to -> to.settled(events, took));
  }

  @Override
  public void leaseLost(int events) {
    tell(to -> to.leaseLost(events));
  }

  @Override
  public void brokerUnavailable(String reason) {
    tell(to -> to.brokerUnavailable(reason));
  }

  @Override
  public void brokerRecovered(Duration outage) {
    tell(to -> to.brokerRecovered(outage));
  }

  @Override
  public void databaseUnavailable(String reason) {
    tell(to -> to.databaseUnavailable(reason));
  }

  @Override
  public void databaseRecovered(Duration outage) {
    tell(to -> to.databaseRecovered(outage));
  }

  @Override
  public void replicated(int events, Duration took) {
    tell(to -> to.replicated(events, took));
  }

  @Override
  public void standbysUnavailable(String reason) {
    tell(to -> to.standbysUnavailable(reason));
  }

  @Override
  public void standbysRecovered(Duration outage) {
    tell(to -> to.standbysRecovered(outage));
  }

  @Override
  public void pruned(long events) {
    tell(to -> to.pruned(events));
  }

  @Override
  public void pruneFailed(String reason) {
    tell(to -> to.pruneFailed(reason));
  }

  @Override
  public void paused(String reason) {
    tell(to -> to.paused(reason));
  }

  @Override
  public void resumed() {
    tell(RelayListener::resumed);
  }
}
