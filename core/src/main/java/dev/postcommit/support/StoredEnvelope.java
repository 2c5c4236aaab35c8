package dev.postcommit.support;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.Actor;
import dev.postcommit.DomainEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The envelope that is written with the row, as its payload: {@code {version, eventId, occurredAt,
 * actor?{userId, storeId?, role?}, data}}. The order of the fields carries no meaning, since jsonb
 * keeps its own.
 */
public final class StoredEnvelope {

  /**
   * The field of {@link Actor#organizationId}; consumers of such envelopes know it by this name.
   */
  private static final String ORGANIZATION = "storeId";

  /** Reads the envelope's data. */
  @FunctionalInterface
  public interface DataReader {

    /**
     * Reads the value that the parser stands at, leaving it at the value's last token.
     *
     * @return what is wrong with the data, or null if nothing
     */
    @Nullable String read(JsonParser parser) throws IOException;
  }

  private static final List<String> REQUIRED = List.of("version", "eventId", "occurredAt", "data");

  private StoredEnvelope() {}

  /** The envelope of a domain event that is to be the row {@code id}. */
  public static String write(UUID id, DomainEvent event) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(event.data().length() + 256);
    try (JsonGenerator json = JsonBytes.generator(out)) {
      json.writeStartObject();
      json.writeNumberField("version", event.version());
      json.writeStringField("eventId", id.toString());
      json.writeStringField("occurredAt", event.occurredAt().toString());
      Actor actor = event.actor();
      if (actor != null) {
        json.writeObjectFieldStart("actor");
        json.writeStringField("userId", actor.userId().toString());
        if (actor.organizationId() != null) {
          json.writeStringField(ORGANIZATION, actor.organizationId().toString());
        }
        if (actor.role() != null) {
          json.writeStringField("role", actor.role());
        }
        json.writeEndObject();
      }
      json.writeFieldName("data");
      json.writeRawValue(event.data());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * What keeps a payload from being the stored envelope of the row {@code id}, or null if nothing.
   * Says which field is at fault, and shows nothing of its content.
   */
  public static @Nullable String problem(byte[] payload, String id, DataReader reader) {
    try (JsonParser parser = JsonBytes.parser(payload)) {
      return read(parser, id, reader);
    } catch (IOException e) {
      return "the payload is not one JSON value" + JsonBytes.place(e);
    }
  }

  private static @Nullable String read(JsonParser parser, String id, DataReader reader)
      throws IOException {
    Set<String> found = new HashSet<>();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return "the payload is not a stored envelope: it is no JSON object";
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      found.add(name);
      String problem = field(name, value, parser, id, reader);
      if (problem != null) {
        return problem;
      }
    }
    JsonBytes.end(parser);
    return REQUIRED.stream()
        .filter(field -> !found.contains(field))
        .findFirst()
        .map(field -> wrong(field, "there"))
        .orElse(null);
  }

  private static @Nullable String field(
      String name, JsonToken value, JsonParser parser, String id, DataReader reader)
      throws IOException {
    return switch (name) {
      case "version" -> isVersion(parser) ? null : wrong("version", "a whole number from 1");
      case "eventId" ->
          value == JsonToken.VALUE_STRING && parser.getText().equals(id)
              ? null
              : wrong("eventId", "the id of its row");
      case "occurredAt" ->
          value == JsonToken.VALUE_STRING && isTime(parser.getText())
              ? null
              : wrong("occurredAt", "a time with offset in ISO 8601");
      case "actor" ->
          value == JsonToken.VALUE_NULL || isActor(parser)
              ? null
              : wrong("actor", "an object with userId, and storeId and role if known, as strings");
      case "data" -> value == JsonToken.VALUE_NULL ? wrong("data", "there") : reader.read(parser);
      default -> {
        parser.skipChildren();
        yield null;
      }
    };
  }

  private static String wrong(String field, String expected) {
    return "the payload is not a stored envelope: " + field + " is not " + expected;
  }

  private static boolean isVersion(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() == JsonParser.NumberType.INT
        && parser.getIntValue() >= 1;
  }

  private static boolean isTime(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isActor(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return false;
    }
    boolean named = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      boolean text = value == JsonToken.VALUE_STRING;
      switch (name) {
        case "userId" -> named = text;
        case ORGANIZATION, "role" -> {
          if (!text && value != JsonToken.VALUE_NULL) {
            return false;
          }
        }
        default -> parser.skipChildren();
      }
    }
    return named;
  }
}
