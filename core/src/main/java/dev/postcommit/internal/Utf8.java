package dev.postcommit.internal;

import dev.postcommit.InvalidEventException;
import java.nio.charset.StandardCharsets;

/** Encoding of text that refuses what UTF-8 cannot carry instead of replacing it. */
public final class Utf8 {
  private Utf8() {}

  /**
   * The UTF-8 bytes of {@code text}.
   *
   * @throws InvalidEventException naming {@code field} if it holds half a surrogate pair
   */
  public static byte[] encode(String field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // Half a pair has become a question mark. Reading all of it back is the quickest way to see
    // that: an encoder that reports such halves takes the text character by character.
    if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
      throw new InvalidEventException(field, "is not valid Unicode: half a surrogate pair");
    }
    return bytes;
  }
}
