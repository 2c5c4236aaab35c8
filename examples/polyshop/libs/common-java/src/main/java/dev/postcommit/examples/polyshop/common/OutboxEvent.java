package dev.postcommit.examples.polyshop.common;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.DomainEvents;
import org.springframework.data.domain.Persistable;

/**
 * A row of {@code outbox_events}, with its headers in {@code outbox_events_header} beside it.
 *
 * <p>Saved in the transaction of the change it speaks of, and never changed by the service: {@code
 * processed}, {@code processed_at} and {@code error_message} are the publisher's.
 */
@Entity
@Table(name = "outbox_events")
@SecondaryTable(
    name = "outbox_events_header",
    pkJoinColumns = @PrimaryKeyJoinColumn(name = "id", referencedColumnName = "id"))
public class OutboxEvent implements Persistable<UUID> {

  @Id private UUID id;

  @Column(name = "aggregate_id", updatable = false)
  private String aggregateId;

  @Column(name = "event_type", updatable = false)
  private String eventType;

  @Column(name = "version", updatable = false)
  private int version;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(name = "payload", updatable = false)
  private String payload;

  /**
   * The time of writing by the database's clock. Events are delivered in this order, so it must not
   * be the begin of the transaction, which is what the table's default is.
   */
  @Generated(sql = "clock_timestamp()")
  @Column(name = "created_at", updatable = false)
  private @Nullable Instant createdAt;

  @Column(name = "processed", updatable = false)
  private boolean processed;

  @Column(name = "processed_at", updatable = false)
  private @Nullable Instant processedAt;

  @Column(name = "error_message", updatable = false)
  private @Nullable String errorMessage;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(name = "headers", table = "outbox_events_header", updatable = false)
  private Map<String, String> headers;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected OutboxEvent() {}

  OutboxEvent(
      UUID id,
      String aggregateId,
      String eventType,
      int version,
      String payload,
      Map<String, String> headers) {
    this.id = id;
    this.aggregateId = aggregateId;
    this.eventType = eventType;
    this.version = version;
    this.payload = payload;
    this.headers = Map.copyOf(headers);
  }

  /** The event's id, by which consumers know a second delivery. */
  @Override
  public UUID getId() {
    return id;
  }

  /** Which thing it happened to; the key of the message. */
  public String aggregateId() {
    return aggregateId;
  }

  /** What happened; the topic of the message. */
  public String eventType() {
    return eventType;
  }

  /** The version of the payload's shape. */
  public int version() {
    return version;
  }

  /** The data of the event as JSON, without an envelope. */
  public String payload() {
    return payload;
  }

  /** What the event belongs to: trace, correlation, user, request. */
  public Map<String, String> headers() {
    return headers;
  }

  /** Whether the publisher has delivered it. */
  public boolean processed() {
    return processed;
  }

  /** When it was delivered, if it was. */
  public @Nullable Instant processedAt() {
    return processedAt;
  }

  /** Why the last attempt to deliver it failed, if it did. */
  public @Nullable String errorMessage() {
    return errorMessage;
  }

  /** Whether it is yet to be written, which is when it gets its time. */
  @Override
  public boolean isNew() {
    return createdAt == null;
  }

  /** Spring Data tells of every event that is saved; the publisher wakes up at the commit. */
  @DomainEvents
  Collection<Object> saved() {
    return List.of(new Saved(id));
  }

  /**
   * An event was saved, in a transaction that has not ended.
   *
   * @param id the event's id
   */
  record Saved(UUID id) {}
}
