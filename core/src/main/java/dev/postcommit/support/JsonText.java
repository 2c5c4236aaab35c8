package dev.postcommit.support;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.InvalidEventException;
import dev.postcommit.internal.Utf8;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as Postcommit needs it: checking text, and flat objects of strings. */
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonText() {}

  /**
   * The UTF-8 bytes of {@code text}, after checking that it is exactly one JSON value.
   *
   * @throws InvalidEventException naming {@code field} if it is not
   */
  public static byte[] checked(String field, @Nullable String text) {
    if (text == null) {
      throw new InvalidEventException(field, "must not be null");
    }
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new InvalidEventException(field, "is not valid JSON: it is empty");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new InvalidEventException(
            field, "is not valid JSON: more follows after the first value");
      }
    } catch (JsonProcessingException e) {
      throw new InvalidEventException(
          field, "is not valid JSON: " + e.getOriginalMessage() + JsonBytes.place(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Utf8.encode(field, text);
  }

  /**
   * Whether every string and name in JSON text that {@link #checked} let pass can be stored as
   * jsonb, which takes neither U+0000 nor half a surrogate pair, even escaped.
   */
  public static boolean fitsJsonb(byte[] json) {
    if (!hasUnicodeEscape(json)) {
      // Unescaped, neither is valid JSON in UTF-8.
      return true;
    }
    CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
    try (JsonParser parser = FACTORY.createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
          String text = parser.getText();
          if (text.indexOf('\0') >= 0 || !utf8.canEncode(text)) {
            return false;
          }
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The most bytes that jsonb makes of JSON text when it is read back: it puts one space after each
   * colon and comma, drops all others, and writes numbers without exponents.
   */
  public static long jsonbSize(byte[] json) {
    long size = 0;
    int i = 0;
    while (i < json.length) {
      int end = i + 1;
      switch (json[i]) {
        case ' ', '\t', '\r', '\n' -> {}
        case ':', ',' -> size += 2;
        case '"' -> {
          end = stringEnd(json, i);
          size += end - i;
        }
        case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
          end = numberEnd(json, i);
          size += numberSize(new String(json, i, end - i, StandardCharsets.US_ASCII));
        }
        default -> size++;
      }
      i = end;
    }
    return size;
  }

  private static int stringEnd(byte[] json, int start) {
    int end = start + 1;
    while (json[end] != '"') {
      end += json[end] == '\\' ? 2 : 1;
    }
    return end + 1;
  }

  private static int numberEnd(byte[] json, int start) {
    int end = start + 1;
    while (end < json.length && "+-.eE0123456789".indexOf(json[end]) >= 0) {
      end++;
    }
    return end;
  }

  /** The most letters of a number once its exponent is written as zeros. */
  private static long numberSize(String number) {
    int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
    if (exponent < 0) {
      return number.length();
    }
    String digits = number.substring(exponent + 1).replaceFirst("^[+-]", "");
    // A number of more zeros is none that Postgres takes.
    return digits.length() > 9 ? Integer.MAX_VALUE : exponent + Long.parseLong(digits) + 2;
  }

  private static boolean hasUnicodeEscape(byte[] json) {
    for (int i = 1; i < json.length; i++) {
      if (json[i] == 'u' && json[i - 1] == '\\') {
        return true;
      }
    }
    return false;
  }

  /** A JSON object of strings. */
  public static String write(Map<String, String> entries) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        json.writeStringField(entry.getKey(), entry.getValue());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  /**
   * The entries of a JSON object; values that are not strings come as their JSON text, nulls are
   * left out, and anything but an object has no entries.
   */
  public static Map<String, String> read(@Nullable String object) {
    if (object == null) {
      return Map.of();
    }
    Map<String, String> entries = new LinkedHashMap<>();
    try (JsonParser parser = FACTORY.createParser(object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Map.of();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (value.isStructStart()) {
          entries.put(name, structure(parser));
        } else if (value != JsonToken.VALUE_NULL) {
          entries.put(name, parser.getText());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entries;
  }

  private static String structure(JsonParser parser) throws IOException {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.copyCurrentStructure(parser);
    }
    return out.toString();
  }
}
