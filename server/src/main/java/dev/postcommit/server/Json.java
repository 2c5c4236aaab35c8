package dev.postcommit.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

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

  static void print(PrintStream out, Fields fields) {
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
}
