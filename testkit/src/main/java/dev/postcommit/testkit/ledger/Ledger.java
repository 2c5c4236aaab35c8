package dev.postcommit.testkit.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A record of what was committed and what was delivered, which tells whether the two agree.
 *
 * <p>Writers tell it what became of each transaction, consumers what arrives. The two need no order
 * between them: an event may be delivered before its writer has said that it is committed. Safe for
 * use by many threads; the deliveries of one key must be told in the order of their arrival.
 *
 * <pre>{@code
 * await().until(() -> ledger.outstanding() == 0);
 * assertThat(ledger.report().clean()).as(ledger.report().toString()).isTrue();
 * }</pre>
 */
public interface Ledger {

  /** An empty ledger. */
  static Ledger create() {
    return new InMemoryLedger();
  }

  /**
   * Says that the transaction that wrote event {@code id} is committed.
   *
   * @param key the key within which order counts, or null if it does not
   * @param position the event's place in the order in which the events of its key were written
   */
  void committed(String id, @Nullable String key, long position);

  /** Says that the transaction that wrote event {@code id} is rolled back. */
  void rolledBack(String id);

  /**
   * Says that nobody knows what became of the transaction that wrote event {@code id}, as when the
   * connection broke during the commit: it may be delivered and need not be. A later call of {@link
   * #committed} or {@link #rolledBack} settles the doubt.
   *
   * @param key the key within which order counts, or null if it does not
   * @param position the event's place in the order in which the events of its key were written
   */
  void inDoubt(String id, @Nullable String key, long position);

  /** Says that event {@code id} ought to end dead. */
  void expectedDead(String id);

  /** Says that event {@code id} was found dead. Such an event is not held to any order. */
  void dead(String id);

  /** Says that a message with event {@code id} arrived with {@code key}. */
  void delivered(String id, @Nullable String key);

  /** The number of events that are committed and neither delivered nor dead. */
  int outstanding();

  /** What the ledger shows now. */
  LedgerReport report();
}
