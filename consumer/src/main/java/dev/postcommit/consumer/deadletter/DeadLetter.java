package dev.postcommit.consumer.deadletter;

import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.support.LogText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that a consumer gave up on, to be sent to the dead-letter topic.
 *
 * <p>The message sent has the key and headers of the original, plus this {@link #body} and these
 * {@link #headers}. {@link DeadLetterContent} reads it again.
 *
 * @param eventId the event's id, if it could be read
 * @param eventType the event's type, if it could be read
 * @param message the original message
 * @param errorMessage why it was given up
 * @param errorClass the class of the error
 * @param attempts the number of attempts
 * @param failedAt when it was given up
 * @param consumerService the consumer that gave it up
 * @param bodyOmitted whether the original body is left out
 */
public record DeadLetter(
    @Nullable String eventId,
    @Nullable String eventType,
    ReceivedMessage message,
    String errorMessage,
    String errorClass,
    int attempts,
    Instant failedAt,
    String consumerService,
    boolean bodyOmitted) {

  /** The suffix of dead-letter topics. */
  public static final String TOPIC_SUFFIX = ".dlt";

  /** The prefix of the headers that a dead letter adds. */
  public static final String HEADER_PREFIX = "dlt_";

  /** A dead letter with the body of the message. */
  public DeadLetter(
      @Nullable String eventId,
      @Nullable String eventType,
      ReceivedMessage message,
      String errorMessage,
      String errorClass,
      int attempts,
      Instant failedAt,
      String consumerService) {
    this(
        eventId,
        eventType,
        message,
        errorMessage,
        errorClass,
        attempts,
        failedAt,
        consumerService,
        false);
  }

  /** The same without the original body, for a broker that finds it too large. */
  public DeadLetter withoutBody() {
    return new DeadLetter(
        eventId,
        eventType,
        message,
        errorMessage,
        errorClass,
        attempts,
        failedAt,
        consumerService,
        true);
  }

  /** The dead-letter topic: the topic of the message and {@code .dlt}. */
  public String topic() {
    return message.topic() + TOPIC_SUFFIX;
  }

  /**
   * The content, {@code {eventId, originalEvent, errorMessage, failedAt, consumerService}}.
   *
   * <p>The original event is the message's body: byte for byte if that is one JSON value, else as a
   * string in base64, and null if there is none or it is omitted. The error message is cut after
   * 2,000 characters.
   */
  public byte[] body() {
    return DeadLetterBody.of(this).bytes();
  }

  /**
   * The headers to send besides those of the message. They replace headers with the same names.
   *
   * <table>
   * <caption>Headers</caption>
   * <tr><td>{@code dlt_original_topic}</td><td>the topic of the message</td></tr>
   * <tr><td>{@code dlt_original_}…</td><td>its position, in the broker's terms: Kafka's {@code
   * partition}, {@code offset} and {@code timestamp}</td></tr>
   * <tr><td>{@code dlt_original_encoding}</td><td>how its body is encoded: {@code json}, {@code
   * base64}, {@code none} if it has none, or {@code omitted}</td></tr>
   * <tr><td>{@code dlt_error_class}</td><td>the class of the error</td></tr>
   * <tr><td>{@code dlt_attempts}</td><td>the number of attempts</td></tr>
   * <tr><td>{@code dlt_consumer}</td><td>the consumer that gave it up</td></tr>
   * <tr><td>{@code event_type}</td><td>the event's type, if it is known and the message has no such
   * header; then {@code dlt_added} names it</td></tr>
   * </table>
   */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DeadLetterContent.ORIGINAL + "topic", message.topic());
    message
        .origin()
        .forEach((name, value) -> headers.put(DeadLetterContent.ORIGINAL + name, value));
    headers.put(DeadLetterContent.ENCODING, DeadLetterBody.of(this).encoding());
    headers.put(HEADER_PREFIX + "error_class", errorClass);
    headers.put(DeadLetterContent.ATTEMPTS, Integer.toString(attempts));
    headers.put(DeadLetterContent.CONSUMER, consumerService);
    if (eventType != null && !message.headers().containsKey(DeadLetterContent.EVENT_TYPE)) {
      headers.put(DeadLetterContent.EVENT_TYPE, eventType);
      headers.put(DeadLetterContent.ADDED, DeadLetterContent.EVENT_TYPE);
    }
    return headers;
  }

  /** Identifies the dead letter without showing the content of the message. */
  @Override
  public String toString() {
    return LogText.line(
        "DeadLetter[eventId=%s, eventType=%s, %s, consumerService=%s]"
            .formatted(eventId, eventType, message, consumerService));
  }
}
