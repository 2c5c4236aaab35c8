package dev.postcommit;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.postcommit.internal.EventChecks;
import dev.postcommit.support.StoredEnvelope;
import java.sql.Connection;
import java.util.UUID;

/**
 * Records domain events, each wrapped in the envelope that consumers will read.
 *
 * <p>The payload of the row is {@code {version, eventId, occurredAt, actor?{userId, storeId?,
 * role?}, data}}, and its {@code eventId} is the row's id. {@link
 * dev.postcommit.envelope.Envelope#stored} delivers it unchanged. The version is that of the
 * envelope; the row's own version stays 1, since a table need not have a column for it.
 *
 * <p>Safe for use by many threads.
 */
public final class DomainEvents {
  private final Outbox outbox;

  private DomainEvents(Outbox outbox) {
    this.outbox = outbox;
  }

  /** Domain events that are recorded in the given outbox. */
  public static DomainEvents on(Outbox outbox) {
    return new DomainEvents(outbox);
  }

  /**
   * Records {@code event} in the caller's transaction, keyed by its aggregate id.
   *
   * @param tx the connection whose transaction writes the rows the event speaks of
   * @throws NoTransactionException if {@code tx} is in auto-commit mode; nothing is written
   * @throws InvalidEventException if the layout cannot hold the event; nothing is written
   */
  public Enqueued emit(Connection tx, DomainEvent event) {
    return outbox.enqueue(tx, toEvent(event));
  }

  /**
   * The event that stands for a domain event: keyed by its aggregate id, with the envelope as its
   * payload. Each call makes a new one, with an id of its own.
   */
  public static Event toEvent(DomainEvent event) {
    EventChecks.required("event", event);
    UUID id = UuidCreator.getTimeOrderedEpochFast();
    return Event.builder(event.eventType())
        .id(id)
        .aggregate(event.aggregateType(), event.aggregateId())
        .json(StoredEnvelope.write(id, event))
        .build();
  }
}
