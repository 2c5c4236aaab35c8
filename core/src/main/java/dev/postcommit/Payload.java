package dev.postcommit;

import dev.postcommit.support.JsonText;
import java.util.Arrays;

/** The content of an event, carried to the broker as it was given and never interpreted. */
public final class Payload {

  /** What a payload was declared to be. */
  public enum Format {
    /** JSON text, checked when the payload was made. */
    JSON,
    /** Any bytes. */
    BINARY
  }

  private final byte[] bytes;
  private final Format format;

  private Payload(byte[] bytes, Format format) {
    this.bytes = bytes;
    this.format = format;
  }

  /**
   * A payload of JSON text, kept exactly as written.
   *
   * @throws InvalidEventException if {@code text} is not one well-formed JSON value
   */
  public static Payload json(String text) {
    return new Payload(JsonText.checked("payload", text), Format.JSON);
  }

  /** A payload of any bytes; the array is copied. */
  public static Payload binary(byte[] bytes) {
    if (bytes == null) {
      throw new InvalidEventException("payload", "must not be null");
    }
    return new Payload(bytes.clone(), Format.BINARY);
  }

  /** The number of bytes. */
  public int size() {
    return bytes.length;
  }

  /** What the payload was declared to be. */
  public Format format() {
    return format;
  }

  /** A copy of the bytes; JSON text is in UTF-8. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that
        && format == that.format
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Names format and size; a payload's content is never shown. */
  @Override
  public String toString() {
    return format + " of " + bytes.length + " bytes";
  }
}
