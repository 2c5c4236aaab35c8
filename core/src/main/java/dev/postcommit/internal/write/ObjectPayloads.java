package dev.postcommit.internal.write;

import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.InvalidPayloadException;
import dev.postcommit.Payload;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.support.ErrorText;
import org.jspecify.annotations.Nullable;

/** Serialises payloads that are objects. */
final class ObjectPayloads {
  private static final String FIELD = "payload";

  private ObjectPayloads() {}

  /**
   * The event with its payload as JSON or bytes.
   *
   * @throws InvalidEventException if it cannot be serialised; nothing of its content is shown
   */
  static Event serialized(Event event, @Nullable PayloadSerializer serializer) {
    @Nullable Object object = event.payload().object().orElse(null);
    if (object == null) {
      return event;
    }
    if (serializer == null) {
      throw new InvalidEventException(
          FIELD,
          subject(event)
              + " is an object, and this outbox has no serializer; add the dependency"
              + " dev.postcommit:postcommit-jackson and set"
              + " Outbox.builder(layout).payloadSerializer(JacksonPayloads.create()), or enqueue"
              + " JSON text or bytes");
    }
    @Nullable Payload payload;
    try {
      payload = serializer.serialize(object);
    } catch (InvalidPayloadException e) {
      throw failure(event, e.getMessage());
    } catch (RuntimeException | StackOverflowError e) {
      throw failure(event, ErrorText.withoutMessage(e));
    }
    if (payload == null || payload.format() == Payload.Format.OBJECT) {
      throw failure(
          event,
          serializer.getClass().getName() + " returned neither JSON nor bytes, but " + payload);
    }
    return event.withPayload(payload);
  }

  /** The name of the class of an event's payload, which is an object. */
  static String className(Event event) {
    return event.payload().object().orElseThrow().getClass().getName();
  }

  private static InvalidEventException failure(Event event, @Nullable String why) {
    return new InvalidEventException(
        FIELD, "%s cannot be serialised: %s".formatted(subject(event), why));
  }

  private static String subject(Event event) {
    return "%s of an event %s".formatted(className(event), event.type());
  }
}
