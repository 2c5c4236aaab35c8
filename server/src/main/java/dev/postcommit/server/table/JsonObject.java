package dev.postcommit.server.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object with its fields in the order in which they were set, written as one line.
 *
 * <p>Values are numbers, booleans, texts, null, further objects or maps, and collections of these.
 * Anything else is written as its text.
 */
public final class JsonObject {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  /** Sets a field. */
  public JsonObject set(String name, @Nullable Object value) {
    fields.put(name, value);
    return this;
  }

  /** Sets the fields of another object. */
  public JsonObject setAll(JsonObject other) {
    fields.putAll(other.fields);
    return this;
  }

  /** Sets content as text, or in base64 under a name that says so if it is not UTF-8 text. */
  public JsonObject setContent(String name, byte[] content) {
    Optional<String> text = Texts.decode(content);
    return text.isPresent()
        ? set(name, text.get())
        : set(name + "_base64", Base64.getEncoder().encodeToString(content));
  }

  /** Prints the object on a line of its own. */
  public void print(PrintStream out) {
    out.println(new String(bytes(), StandardCharsets.UTF_8));
  }

  /** The object in UTF-8. */
  public byte[] bytes() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toByteArray();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof JsonObject object) {
      write(json, object.fields);
    } else if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> field : map.entrySet()) {
        json.writeFieldName(String.valueOf(field.getKey()));
        write(json, field.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Collection<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        write(json, item);
      }
      json.writeEndArray();
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      json.writeObject(value);
    } else {
      json.writeString(value.toString());
    }
  }
}
