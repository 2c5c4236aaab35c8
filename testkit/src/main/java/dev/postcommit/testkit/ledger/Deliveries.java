package dev.postcommit.testkit.ledger;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a broker has and tells a {@link Ledger} of it, until all is read. To be run by a
 * thread of its own.
 */
public abstract class Deliveries implements Callable<Void> {
  private final Ledger ledger;
  private final AtomicInteger messages = new AtomicInteger();
  private volatile boolean noMoreToCome;

  protected Deliveries(Ledger ledger) {
    this.ledger = ledger;
  }

  /** How many messages arrived, duplicates included. */
  public final int messages() {
    return messages.get();
  }

  /** Says that nobody sends any more: what is there now is all. */
  public final void finish() {
    noMoreToCome = true;
  }

  /** Reads until {@link #finish} is called and all is read. */
  @Override
  public abstract Void call();

  protected final boolean moreMayCome() {
    return !noMoreToCome;
  }

  protected final void arrived(String eventId, @Nullable String key) {
    ledger.delivered(eventId, key);
    messages.incrementAndGet();
  }
}
