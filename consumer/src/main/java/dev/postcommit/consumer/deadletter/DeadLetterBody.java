package dev.postcommit.consumer.deadletter;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.support.JsonBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The body of a dead letter.
 *
 * @param encoding how the original event is encoded
 * @param bytes the body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DeadLetterBody(String encoding, byte[] bytes) {
  static final String JSON = "json";
  static final String BASE64 = "base64";
  static final String NONE = "none";
  static final String OMITTED = "omitted";

  private static final int LONGEST_ERROR = 2000;
  private static final String WHITE_SPACE = " \t\r\n";

  static DeadLetterBody of(DeadLetter letter) {
    byte[] original = letter.message().body();
    if (original == null) {
      return new DeadLetterBody(NONE, write(letter, null));
    } else if (letter.bodyOmitted()) {
      return new DeadLetterBody(OMITTED, write(letter, null));
    }
    if (isBareJson(original)) {
      byte[] body = write(letter, original);
      // Within the dead letter it is nested one level deeper, which may be one too deep for
      // parsers.
      if (JsonBytes.isJson(body)) {
        return new DeadLetterBody(JSON, body);
      }
    }
    byte[] encoded = Base64.getEncoder().encode(original);
    ByteArrayOutputStream string = new ByteArrayOutputStream(encoded.length + 2);
    string.write('"');
    string.writeBytes(encoded);
    string.write('"');
    return new DeadLetterBody(BASE64, write(letter, string.toByteArray()));
  }

  /** White space around a value would be lost when it is read. */
  private static boolean isBareJson(byte[] bytes) {
    return bytes.length > 0
        && WHITE_SPACE.indexOf(bytes[0]) < 0
        && WHITE_SPACE.indexOf(bytes[bytes.length - 1]) < 0
        && JsonBytes.isJson(bytes);
  }

  private static byte[] write(DeadLetter letter, byte @Nullable [] original) {
    ByteArrayOutputStream out =
        new ByteArrayOutputStream((original == null ? 0 : original.length) + 512);
    try (JsonGenerator json = JsonBytes.generator(out)) {
      json.writeStartObject();
      json.writeStringField("eventId", writable(letter.eventId()));
      json.writeFieldName("originalEvent");
      if (original == null) {
        json.writeNull();
      } else {
        json.writeRawValue("");
        json.flush();
        out.writeBytes(original);
      }
      String error = letter.errorMessage();
      json.writeStringField(
          "errorMessage", writable(error.substring(0, Math.min(error.length(), LONGEST_ERROR))));
      json.writeStringField("failedAt", letter.failedAt().toString());
      json.writeStringField("consumerService", writable(letter.consumerService()));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The text without halves of surrogate pairs, which UTF-8 cannot encode. */
  private static @Nullable String writable(@Nullable String text) {
    return text == null
        ? null
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
