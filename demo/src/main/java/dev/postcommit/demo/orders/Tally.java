package dev.postcommit.demo.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what the writers did. Safe for use by many threads. */
public final class Tally {
  private final AtomicInteger committed = new AtomicInteger();
  private final AtomicInteger poisonous = new AtomicInteger();
  private final AtomicInteger rollbacks = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();
  private final List<String> wrong = new ArrayList<>();

  void countCommitted(int events, int ofThemPoisonous) {
    committed.addAndGet(events);
    poisonous.addAndGet(ofThemPoisonous);
  }

  void countRollback() {
    rollbacks.incrementAndGet();
  }

  void countRepeated() {
    repeated.incrementAndGet();
  }

  /** Records something that must not happen. */
  public synchronized void wrong(String what) {
    wrong.add(what);
  }

  /** Returns the number of committed events, including poisonous ones. */
  public int committed() {
    return committed.get();
  }

  public int poisonous() {
    return poisonous.get();
  }

  public int rollbacks() {
    return rollbacks.get();
  }

  public int repeated() {
    return repeated.get();
  }

  public synchronized List<String> wrong() {
    return List.copyOf(wrong);
  }
}
