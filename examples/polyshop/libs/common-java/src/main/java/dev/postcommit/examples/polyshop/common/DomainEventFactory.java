package dev.postcommit.examples.polyshop.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.postcommit.Event;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the row of an event from what happened, as part of the trace of the request, or of the
 * event, that is being handled. Safe for use by many threads.
 */
public final class DomainEventFactory {
  private static final Pattern TYPE = Pattern.compile("[a-z-]+(?:\\.[a-z-]+)+\\.v([1-9][0-9]*)");

  private final ObjectMapper json =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  /**
   * An event that is yet to be saved.
   *
   * @param eventType what happened, as {@code order.order.placed.v1}; the version is its end
   * @param aggregateId the thing it happened to, by which events are kept in order
   * @param data the event's data, which becomes JSON
   * @throws IllegalArgumentException if {@code eventType} is not of that form, or {@code data}
   *     cannot be JSON
   * @throws dev.postcommit.InvalidEventException if the event cannot be one
   */
  public OutboxEvent create(String eventType, UUID aggregateId, Object data) {
    String payload = json(eventType, data);
    Event.Builder event =
        Event.builder(eventType)
            .version(version(eventType))
            .aggregateId(aggregateId.toString())
            .json(payload);
    Map<String, String> headers = TraceContext.current().headers();
    headers.forEach(event::header);
    Event checked = event.build();
    return new OutboxEvent(
        checked.id(), aggregateId.toString(), checked.type(), checked.version(), payload, headers);
  }

  private static int version(String eventType) {
    Matcher matcher = TYPE.matcher(eventType);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "an event type is domain.entity.event.v1 in lower case, not " + eventType);
    }
    return Integer.parseInt(matcher.group(1));
  }

  private String json(String eventType, Object data) {
    try {
      return json.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the data of %s cannot be written as JSON: %s"
              .formatted(eventType, e.getOriginalMessage()),
          e);
    }
  }
}
