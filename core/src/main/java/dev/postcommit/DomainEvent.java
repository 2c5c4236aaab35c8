package dev.postcommit;

import dev.postcommit.internal.EventChecks;
import dev.postcommit.support.JsonText;
import dev.postcommit.support.LogText;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event in the words of the domain, to be recorded by {@link DomainEvents#emit}.
 *
 * <pre>{@code
 * DomainEvent.builder("license_status_changed")
 *     .aggregate("license", licenseId)
 *     .actor(new Actor(userId, organizationId, "admin"))
 *     .data(json)
 *     .build()
 * }</pre>
 *
 * @param eventType what happened
 * @param aggregateType the kind of thing it happened to
 * @param aggregateId which thing it happened to
 * @param actor who brought it about, if known
 * @param data the content, as JSON text; {@code {}} for an event that has none
 * @param version the version of the data's shape; 1 unless given
 * @param occurredAt when it happened; the time it was built unless given
 */
public record DomainEvent(
    String eventType,
    String aggregateType,
    UUID aggregateId,
    @Nullable Actor actor,
    String data,
    int version,
    Instant occurredAt) {

  /** Refuses fields that no consumer could use, with {@link InvalidEventException}. */
  public DomainEvent {
    EventChecks.text("eventType", eventType);
    EventChecks.text("aggregateType", aggregateType);
    EventChecks.required("aggregateId", aggregateId);
    JsonText.checked("data", data);
    if (data.strip().equals("null")) {
      throw new InvalidEventException("data", "must not be null; {} stands for no content");
    }
    EventChecks.version(version);
    EventChecks.time("occurredAt", EventChecks.required("occurredAt", occurredAt));
  }

  /**
   * Starts a domain event.
   *
   * @param eventType what happened, for example {@code license_status_changed}
   */
  public static Builder builder(String eventType) {
    return new Builder(eventType);
  }

  /** Names the event without showing its data. */
  @Override
  public String toString() {
    return LogText.line(
        "DomainEvent[eventType=%s, aggregateType=%s, aggregateId=%s, version=%d]"
            .formatted(eventType, aggregateType, aggregateId, version));
  }

  /** Collects the parts of a domain event; not safe for use by several threads. */
  public static final class Builder {
    private final String eventType;
    private @Nullable String aggregateType;
    private @Nullable UUID aggregateId;
    private @Nullable Actor actor;
    private @Nullable String data;
    private int version = 1;
    private @Nullable Instant occurredAt;

    private Builder(String eventType) {
      this.eventType = eventType;
    }

    /** Sets what the event happened to. */
    public Builder aggregate(String type, UUID id) {
      aggregateType = type;
      aggregateId = id;
      return this;
    }

    /** Sets who brought the event about. */
    public Builder actor(@Nullable Actor value) {
      actor = value;
      return this;
    }

    /** Sets the content, as JSON text, which is kept as it is written. */
    public Builder data(String json) {
      data = json;
      return this;
    }

    /** Sets the version of the data's shape. */
    public Builder version(int value) {
      version = value;
      return this;
    }

    /** Sets when it happened. */
    public Builder occurredAt(Instant value) {
      occurredAt = value;
      return this;
    }

    /**
     * The domain event.
     *
     * @throws InvalidEventException naming the field that is missing or not acceptable
     */
    public DomainEvent build() {
      return new DomainEvent(
          eventType,
          EventChecks.required("aggregateType", aggregateType),
          EventChecks.required("aggregateId", aggregateId),
          actor,
          EventChecks.required("data", data),
          version,
          occurredAt == null ? Instant.now() : occurredAt);
    }
  }
}
