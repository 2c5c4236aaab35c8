package dev.postcommit.consumer.internal;

import dev.postcommit.consumer.Attempt;
import dev.postcommit.consumer.DeadLetter;
import dev.postcommit.consumer.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/** A message on its way through a lane. All but {@link #isDone} is for the lane that has it. */
public abstract class Slot {
  private final @Nullable Object order;
  private @Nullable DeadLetter letter;
  private int attempt = 1;
  private volatile boolean done;

  /**
   * A slot that has not been tried.
   *
   * @param order what it has in common with those that are handled one after the other; null if it
   *     waits for none
   */
  protected Slot(@Nullable Object order) {
    this.order = order;
  }

  /** The message; not asked for after it is done. */
  protected abstract ReceivedMessage message();

  /** A lane begins to handle it; false if it is not to be handled any more. */
  protected abstract boolean begin();

  /** The lane is finished with it for now, whatever came of it. */
  protected abstract void finish();

  /** Whether it is to be forgotten: the broker gives it to another. */
  protected abstract boolean isAbandoned();

  /** Tells the broker that it is done, and lets go of the message. */
  protected abstract void acknowledge();

  /** What waits for it if it is to be retried: the messages of its order, or only itself. */
  public final Object strand() {
    return order == null ? this : order;
  }

  final Attempt attempt() {
    return new Attempt(message(), order, attempt);
  }

  final void countAttempt() {
    attempt++;
  }

  /** The letter to be sent, after the consumer has given up. */
  public final @Nullable DeadLetter letter() {
    return letter;
  }

  /** The consumer has given up, or the letter has to be another. */
  public final void giveUp(DeadLetter lastWords) {
    letter = lastWords;
  }

  /** Nothing more is to be done with it. */
  public final void done() {
    letter = null;
    done = true;
    acknowledge();
  }

  /** Whether nothing more is to be done with it. */
  public final boolean isDone() {
    return done;
  }
}
