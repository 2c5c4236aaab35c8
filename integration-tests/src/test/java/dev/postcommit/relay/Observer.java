package dev.postcommit.relay;

import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what a relay refused. */
final class Observer implements RelayListener {
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final List<String> dead = new CopyOnWriteArrayList<>();
  private final AtomicInteger retries = new AtomicInteger();

  /** The ids of events that were not sent as they were, one for each time. */
  List<String> violations() {
    return violations;
  }

  /** The ids of events that were given up, one for each time. */
  List<String> dead() {
    return dead;
  }

  /** How often an event was to be tried again. */
  int retries() {
    return retries.get();
  }

  @Override
  public void violation(StoredEvent event, String reason) {
    violations.add(event.id());
  }

  @Override
  public void dead(StoredEvent event, String reason) {
    dead.add(event.id());
  }

  @Override
  public void retrying(StoredEvent event, String reason, Duration delay) {
    retries.incrementAndGet();
  }
}
