package dev.postcommit.consumer.internal.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.support.JsonBytes;
import dev.postcommit.support.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, located in one pass and cut out of its bytes on demand. Errors name
 * the field and show nothing of its content.
 */
public final class JsonFields {
  private static final String BETWEEN_FIELDS = ", \t\r\n";

  /**
   * Where a field is.
   *
   * @param token what its value begins with
   * @param name where its name begins
   * @param start where its value begins
   * @param end where its value ends
   * @param next where what follows begins: the next field, or the end of the object
   */
  private record Field(JsonToken token, int name, int start, int end, int next) {}

  private final byte[] body;
  private final Map<String, Field> fields = new LinkedHashMap<>();
  private final Set<String> repeated = new HashSet<>();

  private JsonFields(byte[] body) {
    this.body = body;
  }

  /**
   * The fields of a body.
   *
   * @throws PermanentFailureException if it is not exactly one JSON object
   */
  public static JsonFields of(byte[] body) {
    try {
      JsonFields found = parse(body);
      if (found != null) {
        return found;
      }
    } catch (IOException e) {
      throw new PermanentFailureException("the body is not one JSON object" + JsonBytes.place(e));
    }
    throw new PermanentFailureException("the body is not a JSON object");
  }

  /** The fields of a body, or null if it is not exactly one JSON object. */
  public static @Nullable JsonFields find(byte[] body) {
    try {
      return parse(body);
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable JsonFields parse(byte[] body) throws IOException {
    try (JsonParser parser = JsonBytes.parser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      JsonFields found = new JsonFields(body);
      found.readAll(parser);
      return found;
    }
  }

  private void readAll(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    while (token == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      int nameStart = offset(parser);
      JsonToken value = parser.nextToken();
      int start = offset(parser);
      parser.skipChildren();
      token = parser.nextToken();
      int next = offset(parser);
      if (fields.put(name, new Field(value, nameStart, start, end(next), next)) != null) {
        repeated.add(name);
      }
    }
    JsonBytes.end(parser);
  }

  private static int offset(JsonParser parser) {
    return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
  }

  /** The end of the name or value that comes before {@code next}. */
  private int end(int next) {
    int end = next;
    while (BETWEEN_FIELDS.indexOf(body[end - 1]) >= 0) {
      end--;
    }
    return end;
  }

  /** The names of all fields, in their order. */
  public Set<String> names() {
    return fields.keySet();
  }

  /** Whether there are fields of all these names. */
  public boolean has(String... names) {
    return fields.keySet().containsAll(Arrays.asList(names));
  }

  /** Whether a field is a string. */
  public boolean isString(String name) {
    return begins(name, JsonToken.VALUE_STRING);
  }

  /** Whether a field is an object. */
  public boolean isObject(String name) {
    return begins(name, JsonToken.START_OBJECT);
  }

  /** Whether a field is there, and null. */
  public boolean isNull(String name) {
    return begins(name, JsonToken.VALUE_NULL);
  }

  private boolean begins(String name, JsonToken token) {
    Field field = fields.get(name);
    return field != null && field.token == token;
  }

  /** A field that must be there, as a string that is not blank. */
  public String required(String name) {
    String text = string(name);
    if (text == null) {
      throw missing(name);
    }
    if (text.isBlank()) {
      throw wrong(name, "blank");
    }
    return text;
  }

  /** A string, or null if the field is missing or null. */
  public @Nullable String string(String name) {
    Field field = find(name);
    if (field == null) {
      return null;
    }
    if (field.token != JsonToken.VALUE_STRING) {
      throw wrong(name, "not a string");
    }
    return text(name, field);
  }

  /** The text of a string, a number or a boolean; null if the field is missing or null. */
  public @Nullable String scalar(String name) {
    Field field = find(name);
    if (field == null) {
      return null;
    }
    if (field.token.isStructStart()) {
      throw wrong(name, "an object or an array");
    }
    return text(name, field);
  }

  /** The version of an envelope, or null if it is missing or null. */
  public @Nullable Integer version() {
    Field field = find("version");
    if (field == null) {
      return null;
    }
    try {
      int version = field.token == JsonToken.VALUE_NUMBER_INT ? Integer.parseInt(cut(field)) : 0;
      if (version > 0) {
        return version;
      }
    } catch (NumberFormatException e) {
      // Larger than any version: rejected like other values.
    }
    throw wrong("version", "not a whole number from 1 to " + Integer.MAX_VALUE);
  }

  /** A time, or null if the field is missing or null. */
  public @Nullable Instant time(String name) {
    String text = string(name);
    return text == null ? null : IsoTime.read(name, text);
  }

  /** The entries of an object, values as text; none if the field is missing or null. */
  public Map<String, String> entries(String name) {
    Field field = find(name);
    if (field == null) {
      return Map.of();
    }
    if (field.token != JsonToken.START_OBJECT) {
      throw wrong(name, "not an object");
    }
    return JsonText.read(cut(field));
  }

  /** The bytes of a value that must be there and not null. */
  public byte[] value(String name) {
    Field field = find(name);
    if (field == null) {
      throw missing(name);
    }
    return Arrays.copyOfRange(body, field.start, field.end);
  }

  /** The bytes of the object without one of its fields, otherwise unchanged. */
  public byte[] without(String name) {
    Field field = find(name);
    if (field == null) {
      throw missing(name);
    }
    int head = body[field.next] == '}' ? end(field.name) : field.name;
    byte[] rest = Arrays.copyOf(body, head + body.length - field.next);
    System.arraycopy(body, field.next, rest, head, body.length - field.next);
    return rest;
  }

  private @Nullable Field find(String name) {
    if (repeated.contains(name)) {
      throw wrong(name, "there more than once");
    }
    Field field = fields.get(name);
    return field == null || field.token == JsonToken.VALUE_NULL ? null : field;
  }

  private String text(String name, Field field) {
    String raw = cut(field);
    if (field.token != JsonToken.VALUE_STRING) {
      return raw;
    }
    if (raw.indexOf('\\') < 0) {
      return raw.substring(1, raw.length() - 1);
    }
    try (JsonParser parser = JsonBytes.parser(value(name))) {
      parser.nextToken();
      return parser.getText();
    } catch (IOException e) {
      throw new PermanentFailureException(name + " cannot be read" + JsonBytes.place(e));
    }
  }

  private String cut(Field field) {
    return new String(body, field.start, field.end - field.start, StandardCharsets.UTF_8);
  }

  private static PermanentFailureException missing(String name) {
    return wrong(name, "missing");
  }

  /** The error for a field or header that cannot be read. */
  public static PermanentFailureException wrong(String name, String problem) {
    return new PermanentFailureException("the message cannot be read: " + name + " is " + problem);
  }
}
