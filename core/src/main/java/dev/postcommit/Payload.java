package dev.postcommit;

import dev.postcommit.support.JsonText;
import java.util.Arrays;
import java.util.Optional;

/**
 * The content of an event: JSON text or bytes, carried to the broker as they were given and never
 * interpreted, or an object that becomes one of these when the event is enqueued.
 */
public final class Payload {

  /** What a payload was declared to be. */
  public enum Format {
    /** JSON text, checked when the payload was made. */
    JSON,
    /** Any bytes. */
    BINARY,
    /** An object, which the outbox serialises. */
    OBJECT
  }

  /** A {@code byte[]}, unless the format is {@link Format#OBJECT}. */
  private final Object content;

  private final Format format;

  private Payload(Object content, Format format) {
    this.content = content;
    this.format = format;
  }

  /**
   * A payload of any content. A {@code String} is JSON text, as in {@link #json}, and not
   * serialised to a JSON string; a {@code byte[]} is bytes, as in {@link #binary}; a payload is
   * itself. Any other object is serialised by the outbox, each time its event is enqueued; do not
   * change it before.
   *
   * @throws InvalidEventException if {@code content} is null, or a text that is not JSON
   */
  public static Payload of(Object content) {
    if (content == null) {
      throw new InvalidEventException("payload", "must not be null");
    } else if (content instanceof Payload payload) {
      return payload;
    } else if (content instanceof String text) {
      return json(text);
    } else if (content instanceof byte[] bytes) {
      return binary(bytes);
    }
    return new Payload(content, Format.OBJECT);
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

  /** What the payload was declared to be. */
  public Format format() {
    return format;
  }

  /**
   * The number of bytes.
   *
   * @throws IllegalStateException if the payload is an object
   */
  public int size() {
    return content().length;
  }

  /**
   * A copy of the bytes; JSON text is in UTF-8.
   *
   * @throws IllegalStateException if the payload is an object
   */
  public byte[] bytes() {
    return content().clone();
  }

  /** The object, if the payload is one. */
  public Optional<Object> object() {
    return format == Format.OBJECT ? Optional.of(content) : Optional.empty();
  }

  private byte[] content() {
    if (content instanceof byte[] bytes) {
      return bytes;
    }
    throw new IllegalStateException("the payload is an " + this + ", which an outbox serialises");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that
        && format == that.format
        && (content instanceof byte[] bytes
            ? Arrays.equals(bytes, that.content())
            : content.equals(that.content));
  }

  @Override
  public int hashCode() {
    return content instanceof byte[] bytes ? Arrays.hashCode(bytes) : content.hashCode();
  }

  /** Names the format, and the size or class; a payload's content is never shown. */
  @Override
  public String toString() {
    return content instanceof byte[] bytes
        ? format + " of " + bytes.length + " bytes"
        : "object of class " + content.getClass().getName();
  }
}
