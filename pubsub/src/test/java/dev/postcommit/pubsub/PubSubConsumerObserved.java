package dev.postcommit.pubsub;

import dev.postcommit.inbox.ConsumerListener;
import dev.postcommit.inbox.DeadLetter;
import dev.postcommit.inbox.ReceivedEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a consumer tells. */
final class PubSubConsumerObserved implements ConsumerListener {
  final AtomicInteger processed = new AtomicInteger();
  final AtomicInteger duplicates = new AtomicInteger();

  /** Failures that counted as attempts. */
  final List<String> retries = new CopyOnWriteArrayList<>();

  final List<DeadLetter> dead = new CopyOnWriteArrayList<>();

  @Override
  public void processed(ReceivedEvent<?> event, Duration took) {
    processed.incrementAndGet();
  }

  @Override
  public void duplicate(ReceivedEvent<?> event) {
    duplicates.incrementAndGet();
  }

  @Override
  public void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {
    retries.add(event.id());
  }

  @Override
  public void dead(DeadLetter letter) {
    dead.add(letter);
  }
}
