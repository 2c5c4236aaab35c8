package dev.postcommit.consumer.deadletter;

import dev.postcommit.consumer.internal.json.IsoTime;
import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.support.LogText;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message in a dead-letter topic. Dead letters of other services, which lack the
 * headers of {@link DeadLetter#headers}, are read as far as possible.
 *
 * @param eventId the event's id, if known
 * @param eventType the event's type, if known
 * @param kept what happened to the original body
 * @param original the original body, byte for byte; not copied, so do not change it. Null if the
 *     dead letter does not contain it
 * @param errorMessage why the event was given up, if known
 * @param attempts the number of attempts, if known
 * @param failedAt when it was given up, if known
 * @param consumerService the consumer that gave it up, if known
 * @param originalTopic the topic that the event was read from
 * @param origin the position in that topic, in the broker's terms; see {@link
 *     ReceivedMessage#origin}
 * @param originalHeaders the headers of the original message
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DeadLetterContent(
    @Nullable String eventId,
    @Nullable String eventType,
    Kept kept,
    byte @Nullable [] original,
    @Nullable String errorMessage,
    @Nullable Integer attempts,
    @Nullable Instant failedAt,
    @Nullable String consumerService,
    String originalTopic,
    Map<String, String> origin,
    Map<String, String> originalHeaders) {

  static final String EVENT_TYPE = "event_type";
  static final String ORIGINAL = DeadLetter.HEADER_PREFIX + "original_";
  static final String ENCODING = ORIGINAL + "encoding";
  static final String ATTEMPTS = DeadLetter.HEADER_PREFIX + "attempts";
  static final String CONSUMER = DeadLetter.HEADER_PREFIX + "consumer";
  static final String ADDED = DeadLetter.HEADER_PREFIX + "added";

  private static final String TOPIC = ORIGINAL + "topic";
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  /** What happened to the body of the original message. */
  public enum Kept {
    /** The dead letter contains it. */
    IN_LETTER,
    /** There was none. */
    NONE,
    /** It was left out; only the original message has it. */
    OMITTED,
    /** The dead letter does not say. */
    UNKNOWN
  }

  /** Reads a message of a dead-letter topic; fields that it lacks are null or unknown. */
  public static DeadLetterContent read(ReceivedMessage letter) {
    byte[] body = letter.body();
    JsonFields fields = body == null ? null : JsonFields.find(body);
    byte[] original = fields == null ? null : original(letter, fields);
    String id = text(fields, "eventId");
    String consumer = text(fields, "consumerService");
    return new DeadLetterContent(
        id != null ? id : letter.header("event_id"),
        type(letter, original),
        kept(letter, original),
        original,
        text(fields, "errorMessage"),
        attempts(letter),
        time(text(fields, "failedAt")),
        consumer != null ? consumer : letter.header(CONSUMER),
        topic(letter),
        origin(letter),
        originalHeaders(letter));
  }

  /** Whether a header of a dead letter comes from the original message. */
  public static boolean isOriginal(String header, @Nullable String added) {
    return !header.startsWith(DeadLetter.HEADER_PREFIX) && !header.equals(added);
  }

  private static byte @Nullable [] original(ReceivedMessage letter, JsonFields fields) {
    try {
      return switch (letter.headers().getOrDefault(ENCODING, "")) {
        // Null is a value only if the header says that the body is JSON.
        case DeadLetterBody.JSON ->
            fields.isNull("originalEvent") ? NULL.clone() : fields.value("originalEvent");
        case "" -> fields.value("originalEvent");
        case DeadLetterBody.BASE64 -> decoded(fields.string("originalEvent"));
        default -> null;
      };
    } catch (PermanentFailureException | IllegalArgumentException e) {
      return null; // it contains no original event
    }
  }

  private static byte @Nullable [] decoded(@Nullable String base64) {
    return base64 == null ? null : Base64.getDecoder().decode(base64);
  }

  private static Kept kept(ReceivedMessage letter, byte @Nullable [] original) {
    if (original != null) {
      return Kept.IN_LETTER;
    }
    return switch (letter.headers().getOrDefault(ENCODING, "")) {
      case DeadLetterBody.NONE -> Kept.NONE;
      case DeadLetterBody.OMITTED -> Kept.OMITTED;
      default -> Kept.UNKNOWN;
    };
  }

  private static @Nullable String type(ReceivedMessage letter, byte @Nullable [] original) {
    String header = letter.header(EVENT_TYPE);
    return header != null || original == null
        ? header
        : text(JsonFields.find(original), "eventType");
  }

  private static @Nullable String text(@Nullable JsonFields fields, String name) {
    try {
      return fields == null ? null : fields.string(name);
    } catch (PermanentFailureException e) {
      return null; // not a string
    }
  }

  private static @Nullable Integer attempts(ReceivedMessage letter) {
    try {
      String text = letter.header(ATTEMPTS);
      return text == null ? null : Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null ? null : IsoTime.read("failedAt", text);
    } catch (PermanentFailureException e) {
      return null;
    }
  }

  private static String topic(ReceivedMessage letter) {
    String header = letter.header(TOPIC);
    if (header != null) {
      return header;
    }
    String topic = letter.topic();
    return topic.endsWith(DeadLetter.TOPIC_SUFFIX)
        ? topic.substring(0, topic.length() - DeadLetter.TOPIC_SUFFIX.length())
        : topic;
  }

  private static Map<String, String> origin(ReceivedMessage letter) {
    Map<String, String> origin = new LinkedHashMap<>();
    letter
        .headers()
        .forEach(
            (name, value) -> {
              if (name.startsWith(ORIGINAL) && !name.equals(TOPIC) && !name.equals(ENCODING)) {
                origin.put(name.substring(ORIGINAL.length()), value);
              }
            });
    return origin;
  }

  private static Map<String, String> originalHeaders(ReceivedMessage letter) {
    Map<String, String> headers = new LinkedHashMap<>(letter.headers());
    String added = headers.get(ADDED);
    headers.keySet().removeIf(name -> !isOriginal(name, added));
    return headers;
  }

  /** Identifies the dead letter without showing the original event. */
  @Override
  public String toString() {
    return LogText.line(
        "DeadLetterContent[eventId=%s, eventType=%s, originalTopic=%s, origin=%s, kept=%s]"
            .formatted(eventId, eventType, originalTopic, origin, kept));
  }
}
