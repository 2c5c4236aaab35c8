package dev.postcommit.spring.test;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.internal.write.EventValidator;
import dev.postcommit.internal.write.WritingRules;
import dev.postcommit.layout.Layout;
import dev.postcommit.spring.SpringOutbox;
import dev.postcommit.spring.internal.CurrentTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An outbox that records events instead of writing them to a table.
 *
 * <p>It refuses what the real one refuses: an event without a transaction, one that the layout
 * cannot hold. Payloads that are objects are recorded as the JSON that would be written. It forgets
 * what was rolled back, and forgets everything before each test method.
 *
 * <pre>{@code
 * assertThat(outbox).wrote("order.placed").withKey("42").withJson("{\"total\": 100}");
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class RecordingOutbox implements SpringOutbox, AssertProvider<OutboxAssert> {
  private final EventValidator validator;
  private final CurrentTransaction transaction;
  private final List<Event> committed = new ArrayList<>();

  /**
   * An empty outbox.
   *
   * @param layout what the real table could hold
   * @param dataSource whose transactions are asked for, or null for any
   */
  public RecordingOutbox(Layout layout, @Nullable DataSource dataSource) {
    this(layout, dataSource, true, null);
  }

  /**
   * An empty outbox.
   *
   * @param layout what the real table could hold
   * @param dataSource whose transactions are asked for, or null for any
   * @param topicCheck whether the real one refuses topics that Kafka does not allow
   * @param serializer serialises payloads that are objects; null if there are none
   */
  public RecordingOutbox(
      Layout layout,
      @Nullable DataSource dataSource,
      boolean topicCheck,
      @Nullable PayloadSerializer serializer) {
    // An event with a time of its own is not in a log, but in the table beside it.
    Layout widest = layout.diverted().orElse(layout);
    this.validator =
        new EventValidator(
            widest,
            new WritingRules(Outbox.DEFAULT_MAX_PAYLOAD_BYTES, true, topicCheck, serializer));
    this.transaction =
        dataSource == null ? CurrentTransaction.ofAnything() : CurrentTransaction.of(dataSource);
  }

  @Override
  public Enqueued enqueue(Event event) {
    return enqueueAll(List.of(event)).get(0);
  }

  @Override
  public List<Enqueued> enqueueAll(List<Event> events) {
    var unused = transaction.require();
    List<Event> checked = events.stream().map(validator::checked).toList();
    UncommittedEvents uncommitted = UncommittedEvents.of(this);
    List<Enqueued> results = new ArrayList<>();
    for (Event event : checked) {
      Optional<Event> first = events().stream().filter(e -> isSame(e, event)).findFirst();
      if (first.isEmpty()) {
        uncommitted.add(event);
      }
      results.add(
          first
              .<Enqueued>map(e -> new Enqueued.AlreadyEnqueued(e.id()))
              .orElseGet(() -> new Enqueued.Written(event.id())));
    }
    return results;
  }

  private static boolean isSame(Event one, Event other) {
    return one.dedupeKey() != null
        && one.dedupeKey().equals(other.dedupeKey())
        && one.namespace().equals(other.namespace())
        && one.topic().equals(other.topic());
  }

  /**
   * The events that were committed, and then those that the current transaction wrote, each in the
   * order of their writing.
   */
  public List<Event> events() {
    List<Event> all;
    synchronized (committed) {
      all = new ArrayList<>(committed);
    }
    if (TransactionSynchronizationManager.getResource(this)
        instanceof UncommittedEvents uncommitted) {
      all.addAll(uncommitted.events());
    }
    return List.copyOf(all);
  }

  /** Forgets all committed events. */
  public void clear() {
    synchronized (committed) {
      committed.clear();
    }
  }

  void commit(List<Event> events) {
    synchronized (committed) {
      committed.addAll(events);
    }
  }

  /** The result of AssertJ's {@code assertThat} for this outbox. */
  @Override
  public OutboxAssert assertThat() {
    return new OutboxAssert(this);
  }
}
