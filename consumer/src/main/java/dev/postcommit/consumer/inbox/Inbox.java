package dev.postcommit.consumer.inbox;

import java.time.Duration;

/**
 * How a consumer guards itself against handling an event twice. An inbox is a choice without state;
 * one may be given to several consumers, as far as its store can serve them.
 */
public sealed interface Inbox {

  /** See {@link #transactional(JdbcIdempotencyStore, Transactions)}. */
  record Transactional(JdbcIdempotencyStore store, Transactions transactions) implements Inbox {}

  /** See {@link #marking}. */
  record Marking(IdempotencyStore store) implements Inbox {}

  /** See {@link #markingFirst}. */
  record MarkingFirst(IdempotencyStore store, Duration ttl) implements Inbox {

    /** Checks the time for which marks are kept. */
    public MarkingFirst {
      if (ttl.isNegative() || ttl.isZero()) {
        throw new IllegalArgumentException("ttl must be positive, not " + ttl);
      }
    }
  }

  /** See {@link #none}. */
  record None() implements Inbox {}

  /**
   * Look-up, handler and mark are one transaction of the store's database. An event has its effect
   * exactly once, whatever crashes, as far as the effect is part of the transaction.
   */
  static Inbox transactional(JdbcIdempotencyStore store) {
    return transactional(store, Transactions.of(store.dataSource()));
  }

  /**
   * As {@link #transactional(JdbcIdempotencyStore)}, in transactions that are managed elsewhere.
   *
   * @param transactions transactions of the store's database
   */
  static Inbox transactional(JdbcIdempotencyStore store, Transactions transactions) {
    return new Transactional(store, transactions);
  }

  /**
   * The handler runs between an in-progress mark and a confirmed one: for effects outside of the
   * store's transactions. After a crash between effect and confirmation the event is handled again
   * when the in-progress mark has expired; otherwise no effect happens twice.
   */
  static Inbox marking(IdempotencyStore store) {
    return new Marking(store);
  }

  /**
   * The event is marked as processed before the handler runs, and the mark is deleted if the
   * handler fails. No effect happens twice, but a crash between mark and effect loses the event.
   *
   * @param ttl how long marks are kept
   */
  static Inbox markingFirst(IdempotencyStore store, Duration ttl) {
    return new MarkingFirst(store, ttl);
  }

  /** No guard: for handlers to which a second delivery makes no difference. */
  static Inbox none() {
    return new None();
  }
}
