package dev.postcommit.spring.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists and values, so that whitespace and the order of fields do not matter. */
final class JsonTree {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonTree() {}

  /** Parses a text that must be JSON. */
  static Object of(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("more than one JSON value: " + json);
      }
      return value;
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + json, e);
    }
  }

  /** A parsed payload; if it is not JSON, it equals no JSON. */
  static Object of(Payload payload) {
    return payload.format() == Payload.Format.JSON ? of(text(payload)) : payload;
  }

  /** A payload in readable form. */
  static String text(Payload payload) {
    return payload.format() == Payload.Format.JSON
        ? new String(payload.bytes(), UTF_8)
        : "0x" + HexFormat.of().formatHex(payload.bytes());
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("no value");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue().stripTrailingZeros();
      default -> token;
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return fields;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(value(parser));
    }
    return values;
  }
}
