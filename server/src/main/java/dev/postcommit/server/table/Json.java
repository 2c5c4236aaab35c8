package dev.postcommit.server.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Writes one JSON document as one line. */
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** Writes the fields of the document. */
  @FunctionalInterface
  public interface Fields {
    /** Writes them. */
    void write(JsonGenerator json) throws IOException;
  }

  private Json() {}

  /** Prints the document on a line of its own. */
  public static void print(PrintStream out, Fields fields) {
    out.println(new String(bytes(fields), StandardCharsets.UTF_8));
  }

  /** The document in UTF-8. */
  public static byte[] bytes(Fields fields) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toByteArray();
  }

  /** Writes headers as an object. */
  public static void headers(JsonGenerator json, Map<String, String> headers) throws IOException {
    json.writeObjectFieldStart("headers");
    for (Map.Entry<String, String> header : headers.entrySet()) {
      json.writeStringField(header.getKey(), header.getValue());
    }
    json.writeEndObject();
  }

  /** Writes content as text, or in base64 under a name that says so if it is not UTF-8 text. */
  public static void content(JsonGenerator json, String name, byte[] content) throws IOException {
    Optional<String> text = Texts.decode(content);
    if (text.isPresent()) {
      json.writeStringField(name, text.get());
    } else {
      json.writeStringField(name + "_base64", Base64.getEncoder().encodeToString(content));
    }
  }
}
