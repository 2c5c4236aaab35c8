package dev.postcommit.testkit.contract;

import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a consumer tells. */
public final class ObservedConsumer implements ConsumerListener {
  private final AtomicInteger processed = new AtomicInteger();
  private final AtomicInteger duplicates = new AtomicInteger();
  private final AtomicInteger outages = new AtomicInteger();
  private final AtomicInteger recoveries = new AtomicInteger();

  private final List<String> retries = new CopyOnWriteArrayList<>();

  private final List<DeadLetter> dead = new CopyOnWriteArrayList<>();

  /** How many events were processed. */
  public int processed() {
    return processed.get();
  }

  /** How many events had been processed before. */
  public int duplicates() {
    return duplicates.get();
  }

  /** How often the inbox became unavailable. */
  public int outages() {
    return outages.get();
  }

  /** How often it was available again. */
  public int recoveries() {
    return recoveries.get();
  }

  /** The ids of events that failed, once for each attempt that counted. */
  public List<String> retries() {
    return retries;
  }

  /** The letters of events that were given up. */
  public List<DeadLetter> dead() {
    return dead;
  }

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

  @Override
  public void inboxUnavailable(String reason) {
    outages.incrementAndGet();
  }

  @Override
  public void inboxRecovered(Duration outage) {
    recoveries.incrementAndGet();
  }
}
