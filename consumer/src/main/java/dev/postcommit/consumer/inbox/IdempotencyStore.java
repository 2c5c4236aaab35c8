package dev.postcommit.consumer.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which events a consumer has handled. Safe for use by many threads and processes.
 *
 * <pre>
 *              begin                      complete
 *   unknown ───────────▶ in progress ─────────────────▶ processed
 *      ▲                      │                             │
 *      └──────────────────────┘                             │
 *      ▲   abandon, or the in-progress time is over         │
 *      └────────────────────────────────────────────────────┘
 *                        its time to live is over
 * </pre>
 *
 * <p>Every call throws {@link StoreUnavailableException} if the store cannot answer now.
 */
public interface IdempotencyStore extends AutoCloseable {

  /** Begins to handle one event; see {@link #begin(String, List)}. */
  default Begin begin(String consumer, String eventId) {
    return begin(consumer, List.of(eventId)).get(0);
  }

  /**
   * Begins to handle events, each for itself. Events to {@linkplain Begin.Proceed proceed} with are
   * in progress until they are completed or abandoned or {@link #inProgressTime} is over. If the
   * store could not answer and the call is repeated, the answer for events that it had begun is to
   * proceed.
   *
   * @param eventIds different ids
   * @return an answer for each id, in the same order
   */
  List<Begin> begin(String consumer, List<String> eventIds);

  /**
   * Records that the event of a mark was handled. The stage completes exceptionally, with a {@link
   * StoreUnavailableException}, if the store could not be reached; then the call may be repeated.
   *
   * @return whether the mark was still the caller's, or had expired and no one else had taken it;
   *     if false, another consumer has begun to handle the event or has handled it, and its mark is
   *     left as it is
   */
  CompletionStage<Boolean> complete(Mark mark);

  /** Gives up marks whose events were not handled; marks that others have taken are left alone. */
  void abandon(List<Mark> marks);

  /**
   * Marks an event as processed if it is unknown. A consumer that marks before it handles loses the
   * event if it crashes in between, so prefer {@link #begin}.
   *
   * <p>If the store could not answer, the event may be marked all the same. When the call is
   * repeated on the same store, the store recognises its own mark and returns false, once.
   *
   * @param ttl how long the mark is kept
   * @return whether there was a mark already: the event is processed, or in progress
   */
  default boolean checkAndMarkProcessed(String consumer, String eventId, Duration ttl) {
    return markProcessed(consumer, eventId, ttl).isEmpty();
  }

  /**
   * As {@link #checkAndMarkProcessed}, for callers that may have to {@linkplain #unmark take the
   * mark back}.
   *
   * @param ttl how long the mark is kept
   * @return the mark, or nothing if there was one already
   */
  Optional<Mark> markProcessed(String consumer, String eventId, Duration ttl);

  /**
   * Deletes a mark of {@link #markProcessed} whose event was not handled. A mark that another
   * consumer has set since is left alone, so the call may be repeated if the store could not
   * answer.
   */
  void unmark(Mark mark);

  /**
   * Removes whatever mark an event has, so that it is handled when it is delivered again.
   *
   * @return whether there was one
   */
  boolean delete(String consumer, String eventId);

  /** How long an event stays in progress unless it is completed or abandoned. */
  Duration inProgressTime();

  /**
   * Checks that the store can serve a consumer.
   *
   * @throws IllegalArgumentException saying why it cannot
   */
  default void check(String consumer) {}

  /** Why the store can keep no mark for such an event id, or null if it can. */
  default @Nullable String problem(String eventId) {
    return eventId.isBlank() ? "the event id is blank" : null;
  }

  /**
   * Forgets processed events whose time to live is over, in small transactions, if the store does
   * not do so by itself.
   *
   * @return how many were forgotten
   */
  default long prune() {
    return 0;
  }

  @Override
  default void close() {}
}
