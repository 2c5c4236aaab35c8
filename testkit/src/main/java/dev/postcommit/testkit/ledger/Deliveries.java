package dev.postcommit.testkit.ledger;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads all messages of a broker and records them in a {@link Ledger}. Run it on a thread of its
 * own.
 */
public abstract class Deliveries implements Callable<Void> {
  private final Ledger ledger;
  private final AtomicInteger messages = new AtomicInteger();
  private volatile boolean noMoreToCome;

  protected Deliveries(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Returns the number of messages that arrived, including duplicates. */
  public final int messages() {
    return messages.get();
  }

  /** Declares that no more messages will be sent. */
  public final void finish() {
    noMoreToCome = true;
  }

  /** Reads until {@link #finish} is called and everything is read. */
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
