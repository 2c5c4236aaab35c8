package dev.postcommit.registry;

import dev.postcommit.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The contract of one event type.
 *
 * <pre>{@code
 * RegisteredEvent.builder("license_status_changed")
 *     .topic("notification")
 *     .aggregateType("license")
 *     .payload(LicenseStatusChanged.class)
 *     .build()
 * }</pre>
 *
 * @param type the event type
 * @param topic where events of this type go
 * @param aggregateType what they must have happened to, with an aggregate id; null for events of
 *     tables that keep no aggregate type
 * @param payloadClass the class their content must decode into, or null for none
 * @param schema the JSON Schema their content must satisfy, as JSON text, or null for none
 * @param retry when failed events of this type are tried again and given up, with at most as many
 *     attempts as the relay allows; null for the relay's own policy
 */
public record RegisteredEvent(
    String type,
    String topic,
    @Nullable String aggregateType,
    @Nullable Class<?> payloadClass,
    @Nullable String schema,
    @Nullable RetryPolicy retry) {

  /** Rejects incomplete contracts by an {@link InvalidRegistryException}. */
  public RegisteredEvent {
    if (type == null || type.isBlank()) {
      throw new InvalidRegistryException("an event type must not be blank; name it");
    }
    if (topic == null || topic.isBlank()) {
      throw refused(type, "it has no topic; name the one its events go to");
    }
    if (aggregateType != null && aggregateType.isBlank()) {
      throw refused(type, "its aggregate type is blank; name it, or leave it out");
    }
    if (payloadClass == null && schema == null) {
      throw refused(
          type,
          "its payload has no type; give it a class, a JSON Schema or both ({} is the schema that"
              + " takes any content)");
    }
  }

  /** Starts the contract of an event type. */
  public static Builder builder(String type) {
    return new Builder(type);
  }

  static InvalidRegistryException refused(String type, String problem) {
    return refused(type, problem, null);
  }

  static InvalidRegistryException refused(String type, String problem, @Nullable Throwable cause) {
    return new InvalidRegistryException("event type " + type + ": " + problem, cause);
  }

  /** Collects the parts of a contract; not safe for use by several threads. */
  public static final class Builder {
    private final String type;
    private @Nullable String topic;
    private @Nullable String aggregateType;
    private @Nullable Class<?> payloadClass;
    private @Nullable String schema;
    private @Nullable RetryPolicy retry;

    private Builder(String type) {
      this.type = type;
    }

    /** Sets the topic of these events. */
    public Builder topic(String value) {
      topic = value;
      return this;
    }

    /** Sets the aggregate type that these events must have. */
    public Builder aggregateType(String value) {
      aggregateType = value;
      return this;
    }

    /**
     * Sets the class that the content must decode into. Unknown fields are ignored, so that
     * contracts can grow.
     */
    public Builder payload(Class<?> value) {
      payloadClass = value;
      return this;
    }

    /**
     * Sets the JSON Schema that the content must satisfy, of draft 2020-12 unless it names another.
     * Formats such as {@code uuid} are enforced; references may only point into the schema itself.
     */
    public Builder schema(String json) {
      schema = json;
      return this;
    }

    /** Sets when failed events of this type are retried and given up. */
    public Builder retry(RetryPolicy value) {
      retry = value;
      return this;
    }

    /**
     * The contract.
     *
     * @throws InvalidRegistryException if it is incomplete
     */
    public RegisteredEvent build() {
      if (topic == null) {
        throw refused(type, "it has no topic; name the one its events go to");
      }
      return new RegisteredEvent(type, topic, aggregateType, payloadClass, schema, retry);
    }
  }
}
