package dev.postcommit.internal;

import dev.postcommit.InvalidEventException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
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
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new InvalidEventException(field, "is not valid Unicode: half a surrogate pair");
    }
  }
}
