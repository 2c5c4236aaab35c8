package dev.postcommit.internal.relay.topics;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes events due that need not wait for a topic any more. Safe for use by many threads.
 *
 * <p>A batch that is in flight when a topic takes messages again may still defer events for it, in
 * this relay or in one that has not heard of it. So the events of such a topic are released for as
 * long as a lease lasts.
 */
public final class TopicReleases {
  private static final Logger log = LoggerFactory.getLogger(TopicReleases.class);

  private static final Duration GRACE = Duration.ofSeconds(5);

  private final DeferredEvents events;
  private final long longestNanos;

  /** Topics that take messages again, and since when. */
  private final Map<String, Long> recovered = new ConcurrentHashMap<>();

  /** Topics whose events an operator has given up, so that they are to come back and be dead. */
  private final Set<String> givenUp = ConcurrentHashMap.newKeySet();

  /** The keys of events that were given up, by topic. */
  private final Map<String, Set<String>> freedKeys = new ConcurrentHashMap<>();

  private final AtomicBoolean isDue = new AtomicBoolean();

  public TopicReleases(DeferredEvents events, Duration lease) {
    this.events = events;
    this.longestNanos = lease.plus(GRACE).toNanos();
  }

  /** A topic takes messages again. */
  void recovered(String topic) {
    recovered.put(topic, System.nanoTime());
    isDue.set(true);
  }

  /** A topic takes no messages after all. */
  void lost(String topic) {
    recovered.remove(topic);
  }

  /** Whether a topic has recovered so recently that not everybody may know. */
  boolean hasRecovered(String topic) {
    return recovered.containsKey(topic);
  }

  /** An operator has given up the events of a topic. */
  void givenUp(String topic) {
    givenUp.add(topic);
    isDue.set(true);
  }

  /** Events of these keys were given up; those behind them need not wait. */
  void freed(String topic, Collection<String> keys) {
    freedKeys.computeIfAbsent(topic, name -> ConcurrentHashMap.newKeySet()).addAll(keys);
    isDue.set(true);
  }

  /** Releases again what may have been deferred since, if any topic has recovered recently. */
  boolean releaseAgain() {
    recovered.values().removeIf(at -> System.nanoTime() - at > longestNanos);
    if (!recovered.isEmpty()) {
      isDue.set(true);
    }
    return release();
  }

  /** Releases what is to be released; returns whether there may have been any. */
  boolean release() {
    if (!isDue.compareAndSet(true, false)) {
      return false;
    }
    try {
      for (String topic : Set.copyOf(givenUp)) {
        events.release(topic);
        givenUp.remove(topic);
      }
      for (String topic : Set.copyOf(recovered.keySet())) {
        long released = events.release(topic);
        if (released > 0) {
          log.info(
              "{} events that waited for topic {} are due again", released, LogText.line(topic));
        }
      }
      for (String topic : Set.copyOf(freedKeys.keySet())) {
        releaseFreed(topic);
      }
    } catch (PostcommitException e) {
      isDue.set(true);
      log.warn("events that waited for a topic could not be made due yet: {}", e.getMessage());
    }
    return true;
  }

  private void releaseFreed(String topic) {
    @Nullable Set<String> keys = freedKeys.remove(topic);
    if (keys == null) {
      return;
    }
    try {
      events.releaseBehind(topic, keys);
    } catch (PostcommitException e) {
      freed(topic, keys);
      throw e;
    }
  }

  /** Releases one event to probe a topic; returns whether there was any. */
  boolean releaseProbe(String topic) {
    return events.release(topic, 1) > 0;
  }
}
