package dev.postcommit.internal;

import dev.postcommit.InvalidEventException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What every table and every broker can take; anything else is refused before it is written. */
public final class EventChecks {

  /** Header names the relay sets itself. */
  public static final Set<String> RESERVED_HEADERS =
      Set.of("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at");

  /** Longest text field in bytes; three of them fit one index entry of Postgres. */
  private static final int MAX_TEXT_BYTES = 512;

  private static final int MAX_DEDUPE_KEY_BYTES = 1024;

  // The narrowest limits of the supported brokers, which are Pub/Sub's.
  private static final int MAX_HEADERS = 100;
  private static final int MAX_HEADER_NAME_BYTES = 256;
  private static final int MAX_HEADER_VALUE_BYTES = 1024;
  private static final String BROKER_PREFIX = "goog";

  /** The longest name of a Kafka topic. */
  private static final int MAX_TOPIC_LENGTH = 249;

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]+");

  /** The full name of a Pub/Sub topic, which nobody has in mind who writes to Kafka. */
  private static final Pattern FULL_TOPIC = Pattern.compile("projects/[^/\\s]+/topics/[^/\\s]+");

  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private EventChecks() {}

  /** Refuses null. */
  public static <T> T required(String field, @Nullable T value) {
    if (value == null) {
      throw new InvalidEventException(field, "must not be null");
    }
    return value;
  }

  /** Refuses null, blank, overlong or unstorable text. */
  public static void text(String field, @Nullable String value) {
    String text = required(field, value);
    if (text.isBlank()) {
      throw new InvalidEventException(field, "must not be blank");
    }
    int limit = field.equals("dedupeKey") ? MAX_DEDUPE_KEY_BYTES : MAX_TEXT_BYTES;
    bounded(field, text, limit);
  }

  /** As {@link #text}, but null passes. */
  public static void optionalText(String field, @Nullable String value) {
    if (value != null) {
      text(field, value);
    }
  }

  /**
   * Refuses what Kafka does not allow as the name of a topic, unless it is a full name of Pub/Sub.
   *
   * @param remedy what to do about it
   */
  public static void topicName(String field, String name, String remedy) {
    boolean allowed =
        name.length() <= MAX_TOPIC_LENGTH
            && TOPIC.matcher(name).matches()
            && !name.equals(".")
            && !name.equals("..");
    if (!allowed && !FULL_TOPIC.matcher(name).matches()) {
      throw new InvalidEventException(
          field,
          "'%s' cannot be the name of a topic: Kafka allows up to %d letters, digits, '.', '_' and '-'; %s"
              .formatted(printable(name), MAX_TOPIC_LENGTH, remedy));
    }
  }

  /** The bytes of headers, names included. */
  public static int size(Map<String, String> headers) {
    int size = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      size += bytes(header.getKey()) + bytes(header.getValue());
    }
    return size;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Refuses versions below 1. */
  public static void version(int version) {
    if (version < 1) {
      throw new InvalidEventException("version", "must be at least 1, not " + version);
    }
  }

  /** Refuses times that Postgres or a person could not mean. */
  public static void time(String field, @Nullable Instant time) {
    if (time != null && (time.isBefore(EARLIEST) || time.isAfter(LATEST))) {
      throw new InvalidEventException(
          field, "must lie between " + EARLIEST + " and " + LATEST + ", not " + time);
    }
  }

  /** An immutable copy of headers that every broker accepts. */
  public static Map<String, String> headers(@Nullable Map<String, String> headers) {
    Map<String, String> copy = new LinkedHashMap<>(required("headers", headers));
    if (copy.size() > MAX_HEADERS) {
      throw new InvalidEventException(
          "headers", "at most " + MAX_HEADERS + " are allowed, not " + copy.size());
    }
    copy.forEach(EventChecks::header);
    return Collections.unmodifiableMap(copy);
  }

  private static void header(@Nullable String name, @Nullable String value) {
    if (name == null || name.isBlank()) {
      throw new InvalidEventException("headers", "a header's name must not be blank");
    }
    String field = "headers[" + printable(name) + "]";
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidEventException(field, "the name must not hold control characters");
    }
    if (name.startsWith(BROKER_PREFIX)) {
      throw new InvalidEventException(
          field, "names that begin with '" + BROKER_PREFIX + "' are refused by brokers");
    }
    if (RESERVED_HEADERS.contains(name)) {
      throw new InvalidEventException(field, "the relay sets this header itself");
    }
    bounded(field + " name", name, MAX_HEADER_NAME_BYTES);
    if (value == null) {
      throw new InvalidEventException(field, "the value must not be null");
    }
    bounded(field, value, MAX_HEADER_VALUE_BYTES);
  }

  private static String printable(String name) {
    return name.codePoints()
        .limit(64)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static void bounded(String field, String value, int limit) {
    if (value.indexOf('\0') >= 0) {
      throw new InvalidEventException(field, "must not hold the character U+0000");
    }
    int bytes = Utf8.encode(field, value).length;
    if (bytes > limit) {
      throw new InvalidEventException(
          field, "is " + bytes + " bytes long, more than the " + limit + " allowed");
    }
  }
}
