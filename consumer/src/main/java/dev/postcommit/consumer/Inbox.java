package dev.postcommit.consumer;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way in which a consumer guards itself against handling an event twice. */
public abstract class Inbox {

  Inbox() {}

  /**
   * Look-up, handler and mark are one transaction of the store's database: an event has its effect
   * exactly once, whatever crashes, as far as the effect is part of the transaction.
   */
  public static Inbox transactional(JdbcIdempotencyStore store) {
    return transactional(store, Transactions.of(store.dataSource()));
  }

  /**
   * As {@link #transactional(JdbcIdempotencyStore)}, in transactions that somebody else manages.
   *
   * @param transactions transactions of the store's database
   */
  public static Inbox transactional(JdbcIdempotencyStore store, Transactions transactions) {
    return new TransactionalInbox(store, transactions);
  }

  /**
   * The handler runs between an in-progress mark and a confirmed one: for effects that are in no
   * transaction with the store. A crash between effect and confirmation lets the event be handled
   * again when the in-progress mark has expired; otherwise no effect happens twice.
   */
  public static Inbox marking(IdempotencyStore store) {
    return new MarkingInbox(store);
  }

  /**
   * The event is marked as processed before the handler runs, and the mark is deleted if the
   * handler fails. No effect happens twice, but a crash between mark and effect loses the event.
   *
   * @param ttl how long marks are kept
   */
  public static Inbox markingFirst(IdempotencyStore store, Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      throw new IllegalArgumentException("ttl must be positive, not " + ttl);
    }
    return new MarkingFirstInbox(store, ttl);
  }

  /** No guard: for handlers to whom a second delivery makes no difference. */
  public static Inbox none() {
    return new NoInbox();
  }

  /**
   * Refuses a consumer whom the inbox cannot serve.
   *
   * @throws IllegalArgumentException saying why
   */
  void check(String consumer) {}

  /** Whether handlers can be given a transaction. */
  boolean isTransactional() {
    return false;
  }

  /** Why no event of such an id can be remembered, or null if it can. */
  @Nullable String problem(String eventId) {
    return null;
  }

  /** Handles events of different ids; those without an outcome afterwards were not looked at. */
  abstract void handle(List<Task> tasks, Round round);

  long prune() {
    return 0;
  }
}
