package dev.postcommit.examples.packfinderz.events;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postcommit.Actor;
import dev.postcommit.DomainEvent;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.PayloadForm;
import dev.postcommit.registry.RegisteredEvent;
import java.util.UUID;

/**
 * The event types that have a payload of their own, each with its aggregate type and its topic.
 *
 * <p>The publisher, which has none of these classes, reads the same contracts as JSON Schemas from
 * {@code packfinderz-events.json}.
 */
public final class Events {

  /** The one topic of all domain events; consumers look at the attribute {@code event_type}. */
  public static final String TOPIC = "pf-domain-events";

  /** The contracts. */
  public static final EventRegistry REGISTRY =
      EventRegistry.builder()
          .payloads(PayloadForm.STORED_ENVELOPE)
          .event(contract("order_created", "checkout_group", OrderCreated.class))
          .event(contract("order_canceled", "vendor_order", OrderCanceled.class))
          .event(contract("order_expired", "vendor_order", OrderExpired.class))
          .event(contract("cash_collected", "vendor_order", CashCollected.class))
          .event(contract("notification_requested", "vendor_order", NotificationRequested.class))
          .event(contract("license_status_changed", "license", LicenseStatusChanged.class))
          .build();

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private Events() {}

  private static RegisteredEvent contract(String type, String aggregateType, Class<?> payload) {
    return RegisteredEvent.builder(type)
        .topic(TOPIC)
        .aggregateType(aggregateType)
        .payload(payload)
        .build();
  }

  /** The type of the events that have this payload. */
  public static String type(Class<?> payload) {
    return registered(payload).type();
  }

  /**
   * The event that tells this payload.
   *
   * @param payload one of the registered classes
   * @param aggregateId what it happened to
   * @param by who brought it about
   */
  public static DomainEvent of(Object payload, UUID aggregateId, Actor by) {
    RegisteredEvent registered = registered(payload.getClass());
    String aggregateType = registered.aggregateType();
    if (aggregateType == null) {
      throw new IllegalStateException(registered.type() + " has no aggregate type");
    }
    try {
      return DomainEvent.builder(registered.type())
          .aggregate(aggregateType, aggregateId)
          .actor(by)
          .data(JSON.writeValueAsString(payload))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + registered.type() + ", " + aggregateId, e);
    }
  }

  private static RegisteredEvent registered(Class<?> payload) {
    return REGISTRY.types().stream()
        .filter(event -> payload.equals(event.payloadClass()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    payload.getName() + " is the payload of no event type; register it"));
  }
}
