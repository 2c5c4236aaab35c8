package dev.postcommit.examples.polyshop.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as it lies in a topic.
 *
 * @param topic where it lies
 * @param key its key, or an empty text
 * @param body its body: an envelope, or a dead letter
 */
public record ShopEvent(String topic, String key, JsonNode body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads the body; one that is not JSON is a text. */
  public static ShopEvent of(String topic, String key, String body) {
    try {
      return new ShopEvent(topic, key, JSON.readTree(body));
    } catch (JsonProcessingException e) {
      return new ShopEvent(topic, key, JSON.getNodeFactory().textNode(body));
    }
  }

  /** A text of the envelope, empty if it is missing. */
  public String text(String field) {
    return body.path(field).asText();
  }

  public String eventId() {
    return text("eventId");
  }

  public String traceId() {
    return body.path("metadata").path("traceId").asText();
  }

  public String correlationId() {
    return body.path("metadata").path("correlationId").asText();
  }

  /** The order that the event's data speaks of, or null if it speaks of none. */
  public @Nullable UUID orderId() {
    String id = body.path("data").path("orderId").asText();
    return id.isEmpty() ? null : UUID.fromString(id);
  }
}
