package dev.postcommit.support;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.postcommit.PostcommitException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** JSON as the bytes of a payload, which are checked and embedded but never changed. */
public final class JsonBytes {
  // UTF-8 and nothing else: bytes of another encoding could not be embedded as they are.
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

  private JsonBytes() {}

  /** A parser at the beginning of {@code json}. */
  public static JsonParser parser(byte[] json) throws IOException {
    return FACTORY.createParser(json);
  }

  /** A generator of UTF-8 text. */
  public static JsonGenerator generator(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out);
  }

  /** Whether the bytes are exactly one JSON value. */
  public static boolean isJson(byte[] bytes) {
    try {
      parse(bytes);
      return true;
    } catch (JsonProcessingException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks that a payload is exactly one JSON value.
   *
   * @throws PostcommitException if it is not
   */
  public static void check(byte[] payload) {
    try {
      parse(payload);
    } catch (IOException e) {
      throw notJson(e);
    }
  }

  /** The error for a payload that cannot be parsed; it says where, but shows nothing of it. */
  public static PostcommitException notJson(IOException e) {
    return new PostcommitException(
        "the payload is not one JSON value" + place(e) + "; write JSON, or use the raw envelope");
  }

  /** Where the parser stopped, if it knows. */
  public static String place(IOException e) {
    JsonLocation location = e instanceof JsonProcessingException json ? json.getLocation() : null;
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  /** Refuses anything after the value that was just read. */
  public static void end(JsonParser parser) throws IOException {
    if (parser.nextToken() != null) {
      throw new JsonParseException(parser, "more than one value");
    }
  }

  private static void parse(byte[] bytes) throws IOException {
    try (JsonParser parser = parser(bytes)) {
      if (parser.nextToken() == null) {
        throw new JsonParseException(parser, "no value");
      }
      parser.skipChildren();
      end(parser);
    }
  }
}
