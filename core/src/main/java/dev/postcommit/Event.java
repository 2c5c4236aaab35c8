package dev.postcommit;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.postcommit.internal.EventChecks;
import dev.postcommit.internal.EventClass;
import dev.postcommit.support.LogText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fact recorded in the caller's transaction.
 *
 * <pre>{@code
 * Event.builder("order.placed").aggregate("order", orderId).json(body).build()
 * Event.of(new OrderPlaced(orderId, total)) // a class marked with @EventType
 * }</pre>
 *
 * @param id identifies the event everywhere; a UUIDv7 unless given
 * @param namespace keeps the topics and dedupe keys of several modules in one table apart; {@code
 *     default} unless given
 * @param topic where the event is to go; its type unless given
 * @param tenant whose event it is, if that matters
 * @param dedupeKey at most one event with this key is written per namespace and topic; none unless
 *     given
 * @param type what happened
 * @param aggregateType the kind of thing it happened to
 * @param aggregateId which thing it happened to
 * @param key events of one key are delivered in order; the aggregate id unless given, and without
 *     either the event has no order
 * @param version the version of the payload's shape; 1 unless given
 * @param headers carried along as message headers
 * @param payload the content
 * @param availableAt not delivered before this time; at once unless given
 */
public record Event(
    UUID id,
    String namespace,
    String topic,
    @Nullable UUID tenant,
    @Nullable String dedupeKey,
    String type,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String key,
    int version,
    Map<String, String> headers,
    Payload payload,
    @Nullable Instant availableAt) {

  /** The namespace of an event that names none. */
  public static final String DEFAULT_NAMESPACE = "default";

  /** Refuses fields that no table or broker would take, with {@link InvalidEventException}. */
  public Event {
    EventChecks.required("id", id);
    EventChecks.text("type", type);
    EventChecks.text("namespace", namespace);
    EventChecks.text("topic", topic);
    EventChecks.optionalText("dedupeKey", dedupeKey);
    EventChecks.optionalText("aggregateType", aggregateType);
    EventChecks.optionalText("aggregateId", aggregateId);
    EventChecks.optionalText("key", key);
    if (aggregateType != null) {
      EventChecks.required("aggregateId", aggregateId);
    }
    EventChecks.version(version);
    headers = EventChecks.headers(headers);
    EventChecks.required("payload", payload);
    EventChecks.time("availableAt", availableAt);
  }

  /**
   * Starts an event.
   *
   * @param type what happened, for example {@code order.placed}
   */
  public static Builder builder(String type) {
    return new Builder(EventChecks.required("type", type));
  }

  /**
   * Starts an event whose type is that of its payload, an object of a class with {@link EventType}.
   */
  public static Builder builder() {
    return new Builder(null);
  }

  /**
   * The event of a payload whose class says all the rest: {@link EventType}, and {@link
   * AggregateId} and {@link AggregateType} if it has an aggregate.
   *
   * <p>The object is serialised when the event is enqueued, by the outbox's {@link
   * PayloadSerializer}; do not change it before.
   *
   * @throws InvalidEventException naming what is missing or not acceptable
   */
  public static Event of(Object payload) {
    return builder().payload(payload).build();
  }

  /** This event with more headers, or other values of those that it has. */
  public Event withHeaders(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return with(all, payload);
  }

  /** This event with another payload. */
  public Event withPayload(Payload other) {
    return with(headers, other);
  }

  private Event with(Map<String, String> newHeaders, Payload newPayload) {
    return new Event(
        id,
        namespace,
        topic,
        tenant,
        dedupeKey,
        type,
        aggregateType,
        aggregateId,
        key,
        version,
        newHeaders,
        newPayload,
        availableAt);
  }

  /** Names the event without showing its payload. */
  @Override
  public String toString() {
    return LogText.line(
        "Event[id=%s, type=%s, topic=%s, key=%s, payload=%s]"
            .formatted(id, type, topic, key, payload));
  }

  /**
   * Collects the parts of an event. What it is given comes before what the annotations of its
   * payload's class say. Not safe for use by several threads. A null is refused rather than taken
   * for nothing: an event that lost its key would have no order. What an event does not have is
   * left out.
   */
  public static final class Builder {
    private final @Nullable String type;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable UUID id;
    private String namespace = DEFAULT_NAMESPACE;
    private @Nullable String topic;
    private @Nullable UUID tenant;
    private @Nullable String dedupeKey;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String key;
    private int version = 1;
    private @Nullable Payload payload;
    private @Nullable Instant availableAt;

    private Builder(@Nullable String type) {
      this.type = type;
    }

    /** Sets the id, which otherwise is a new UUIDv7. */
    public Builder id(UUID value) {
      id = EventChecks.required("id", value);
      return this;
    }

    /** Sets the namespace. */
    public Builder namespace(String value) {
      namespace = value;
      return this;
    }

    /** Sets the topic, which otherwise is the type. */
    public Builder topic(String value) {
      topic = EventChecks.required("topic", value);
      return this;
    }

    /** Sets whose event it is. */
    public Builder tenant(UUID value) {
      tenant = EventChecks.required("tenant", value);
      return this;
    }

    /** Sets the key by which enqueueing the same event twice is noticed. */
    public Builder dedupeKey(String value) {
      dedupeKey = EventChecks.required("dedupeKey", value);
      return this;
    }

    /** Sets what the event happened to; its id is also the key unless one is given. */
    public Builder aggregate(String kind, String which) {
      aggregateType = EventChecks.required("aggregateType", kind);
      aggregateId = EventChecks.required("aggregateId", which);
      return this;
    }

    /** Sets what the event happened to; its id is also the key unless one is given. */
    public Builder aggregate(String kind, UUID which) {
      return aggregate(kind, EventChecks.required("aggregateId", which).toString());
    }

    /** Sets what the event happened to, where its kind goes without saying. */
    public Builder aggregateId(String which) {
      aggregateId = EventChecks.required("aggregateId", which);
      return this;
    }

    /** Sets the key within which events are delivered in order. */
    public Builder key(String value) {
      key = EventChecks.required("key", value);
      return this;
    }

    /** Sets the version of the payload's shape. */
    public Builder version(int value) {
      version = value;
      return this;
    }

    /** Adds a header. */
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /**
     * Sets the payload to an object, which the outbox serialises when the event is enqueued; do not
     * change it before. A {@code String} is JSON text and a {@code byte[]} is bytes, as {@link
     * Payload#of} says.
     */
    public Builder payload(Object content) {
      payload = Payload.of(content);
      return this;
    }

    /** Sets the payload to JSON text, which is checked now and delivered byte for byte. */
    public Builder json(String text) {
      payload = Payload.json(text);
      return this;
    }

    /** Sets the payload to bytes, which are delivered as they are. */
    public Builder bytes(byte[] content) {
      payload = Payload.binary(content);
      return this;
    }

    /** Holds delivery back until {@code time}; the event takes its place in order then. */
    public Builder availableAt(Instant time) {
      availableAt = EventChecks.required("availableAt", time);
      return this;
    }

    /**
     * The event.
     *
     * @throws InvalidEventException naming the field that is missing or not acceptable
     */
    public Event build() {
      Payload content = EventChecks.required("payload", payload);
      String what = type == null ? EventClass.type(content) : type;
      @Nullable String which = aggregateId == null ? EventClass.aggregateId(content) : aggregateId;
      @Nullable String kind =
          aggregateType == null ? EventClass.aggregateType(content) : aggregateType;
      return new Event(
          id == null ? UuidCreator.getTimeOrderedEpochFast() : id,
          namespace,
          topic == null ? what : topic,
          tenant,
          dedupeKey,
          what,
          kind,
          which,
          key == null ? which : key,
          version,
          headers,
          content,
          availableAt);
    }
  }
}
