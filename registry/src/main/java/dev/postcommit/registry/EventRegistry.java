package dev.postcommit.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Router;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.JsonBytes;
import dev.postcommit.support.StoredEnvelope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The event types of a deployment, each with one topic, the expected aggregate type and a typed
 * payload. It routes events, and rejects those that violate their contract.
 *
 * <pre>{@code
 * EventRegistry registry = EventRegistry.load(Path.of("events.json"));
 * Relay.Builder relay = Relay.builder(dataSource, publisher).check(registry).router(registry);
 * registry.retryPolicies().forEach(relay::retryPolicy);
 * }</pre>
 *
 * <p>An event passes if its type is registered, its aggregate type is the expected one and its
 * aggregate id is there, and its content decodes and is not null; {@code {}} is content. What is
 * said about one that does not pass never shows anything of its content.
 *
 * <p>Safe for use by many threads.
 */
public final class EventRegistry implements Router, EventCheck {
  private final PayloadForm payloads;
  private final List<RegisteredEvent> types;
  private final Map<String, Contract> contracts;

  private EventRegistry(
      PayloadForm payloads, List<RegisteredEvent> types, Map<String, Contract> contracts) {
    this.payloads = payloads;
    this.types = types;
    this.contracts = contracts;
  }

  /** Starts a registry declared in Java. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The registry declared in a JSON file:
   *
   * <pre>{@code
   * {
   *   "payloads": "stored-envelope",
   *   "events": [
   *     {
   *       "type": "license_status_changed",
   *       "topic": "notification",
   *       "aggregateType": "license",
   *       "payloadClass": "com.example.LicenseStatusChanged",
   *       "schema": "schemas/license_status_changed.json",
   *       "retry": {"maxAttempts": 3, "baseDelay": "1s", "maxDelay": "1m"}
   *     }
   *   ]
   * }
   * }</pre>
   *
   * <p>{@code payloads} is {@code plain}, which is the default, or {@code stored-envelope}; see
   * {@link PayloadForm}. A schema is the path of its file, relative to this one, or the schema
   * itself. {@code maxAttempts} may be {@code "unlimited"}, and half of each delay is random. The
   * fields of an event mean what they do at {@link RegisteredEvent}.
   *
   * @throws InvalidRegistryException naming the file, the event type and what to do
   */
  public static EventRegistry load(Path file) {
    return new RegistryFile(file).read();
  }

  /** The registered event types, in the order of their declaration. */
  public List<RegisteredEvent> types() {
    return types;
  }

  /** Where in the payload the content of events is. */
  public PayloadForm payloads() {
    return payloads;
  }

  /**
   * The retry policies of the types that have their own, by type; for {@link
   * dev.postcommit.relay.Relay.Builder#retryPolicy(String, RetryPolicy)}.
   */
  public Map<String, RetryPolicy> retryPolicies() {
    Map<String, RetryPolicy> policies = new LinkedHashMap<>();
    for (RegisteredEvent event : types) {
      if (event.retry() != null) {
        policies.put(event.type(), event.retry());
      }
    }
    return policies;
  }

  /**
   * The topic registered for the event's type.
   *
   * @throws PostcommitException if there is none
   */
  @Override
  public String topic(StoredEvent event) {
    Contract contract = contracts.get(event.type());
    if (contract == null) {
      throw new PostcommitException(unknown(event));
    }
    return contract.event().topic();
  }

  @Override
  public Optional<String> violation(StoredEvent event) {
    Contract contract = contracts.get(event.type());
    if (contract == null) {
      return Optional.of(unknown(event));
    }
    String problem = aggregateProblem(contract.event(), event);
    return Optional.ofNullable(problem != null ? problem : payloadProblem(contract, event));
  }

  private static String unknown(StoredEvent event) {
    return "event type " + event.type() + " is not in the registry; register it and replay";
  }

  private static @Nullable String aggregateProblem(RegisteredEvent expected, StoredEvent event) {
    String aggregateType = expected.aggregateType();
    if (aggregateType == null) {
      return null;
    }
    if (event.aggregateId() == null || event.aggregateId().isBlank()) {
      return "the aggregate id is missing";
    }
    return aggregateType.equals(event.aggregateType())
        ? null
        : "the aggregate type of %s must be %s, not %s"
            .formatted(event.type(), aggregateType, event.aggregateType());
  }

  private @Nullable String payloadProblem(Contract contract, StoredEvent event) {
    if (payloads == PayloadForm.STORED_ENVELOPE) {
      return StoredEnvelope.problem(event.payload(), event.id(), contract::problem);
    }
    try (JsonParser parser = JsonBytes.parser(event.payload())) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return "the payload is empty";
      } else if (first == JsonToken.VALUE_NULL) {
        return "the payload is null";
      }
      String problem = contract.problem(parser);
      if (problem == null) {
        JsonBytes.end(parser);
      }
      return problem;
    } catch (IOException e) {
      return "the payload is not one JSON value" + JsonBytes.place(e);
    }
  }

  /** Collects the event types of a registry; not safe for use by several threads. */
  public static final class Builder {
    private final List<RegisteredEvent> types = new ArrayList<>();
    private PayloadForm payloads = PayloadForm.PLAIN;

    private Builder() {}

    /** Adds an event type. */
    public Builder event(RegisteredEvent event) {
      types.add(event);
      return this;
    }

    /** Sets where in the payload the content of events is; {@link PayloadForm#PLAIN} unless set. */
    public Builder payloads(PayloadForm value) {
      payloads = value;
      return this;
    }

    /**
     * The registry, its schemas compiled.
     *
     * @throws InvalidRegistryException if an event type is registered twice or its payload cannot
     *     be checked, with its name
     */
    public EventRegistry build() {
      if (types.isEmpty()) {
        throw new InvalidRegistryException("the registry has no events; register at least one");
      }
      Map<String, Contract> contracts = new LinkedHashMap<>();
      for (RegisteredEvent event : types) {
        if (contracts.put(event.type(), Contract.of(event)) != null) {
          throw RegisteredEvent.refused(
              event.type(), "it is registered twice; keep one of the entries");
        }
      }
      return new EventRegistry(payloads, List.copyOf(types), Map.copyOf(contracts));
    }
  }
}
