package dev.postcommit.consumer;

import dev.postcommit.support.LogText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that a consumer gave up on, to be sent to the dead-letter topic.
 *
 * <p>What is sent has the key and the headers of the message, the {@link #body} and the {@link
 * #headers} that are made here. {@link DeadLetterContent} reads it again.
 *
 * @param eventId the event's id, if it could be read
 * @param eventType the event's type, if it could be read
 * @param message the message as it came
 * @param errorMessage why it was given up
 * @param errorClass the kind of error that it was given up for
 * @param attempts how often it was tried
 * @param failedAt when it was given up
 * @param consumerService who gave it up
 * @param bodyOmitted whether the letter is sent without the body of the message
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

  /** What the names of dead-letter topics end with. */
  public static final String TOPIC_SUFFIX = ".dlt";

  /** What the names of headers begin with that are a dead letter's own. */
  public static final String HEADER_PREFIX = "dlt_";

  /** A letter with the body of the message. */
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

  /** The letter for a broker that finds it too large: it tells only where the message was. */
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

  /** Where the letter is to be sent: the topic of the message and {@code .dlt}. */
  public String topic() {
    return message.topic() + TOPIC_SUFFIX;
  }

  /**
   * The letter's content, {@code {eventId, originalEvent, errorMessage, failedAt,
   * consumerService}}.
   *
   * <p>The original event is the message's body: byte for byte if that is one JSON value, else as a
   * string in base64, and null if there is none or it is omitted. Of the error message the first
   * 2,000 characters are kept.
   */
  public byte[] body() {
    return LetterBody.of(this).bytes();
  }

  /**
   * The headers to be sent beside those of the message, in place of any of the same names.
   *
   * <table>
   * <caption>Headers</caption>
   * <tr><td>{@code dlt_original_topic}</td><td>the topic of the message</td></tr>
   * <tr><td>{@code dlt_original_}…</td><td>where it was, in the broker's terms: Kafka's {@code
   * partition}, {@code offset} and {@code timestamp}</td></tr>
   * <tr><td>{@code dlt_original_encoding}</td><td>how its body is kept: {@code json}, {@code
   * base64}, {@code none} if it has none, or {@code omitted}</td></tr>
   * <tr><td>{@code dlt_error_class}</td><td>the kind of error</td></tr>
   * <tr><td>{@code dlt_attempts}</td><td>how often it was tried</td></tr>
   * <tr><td>{@code dlt_consumer}</td><td>who gave it up</td></tr>
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
    headers.put(DeadLetterContent.ENCODING, LetterBody.of(this).encoding());
    headers.put(HEADER_PREFIX + "error_class", errorClass);
    headers.put(DeadLetterContent.ATTEMPTS, Integer.toString(attempts));
    headers.put(DeadLetterContent.CONSUMER, consumerService);
    if (eventType != null && !message.headers().containsKey(Received.EVENT_TYPE)) {
      headers.put(Received.EVENT_TYPE, eventType);
      headers.put(DeadLetterContent.ADDED, Received.EVENT_TYPE);
    }
    return headers;
  }

  /** Names the letter without showing the content of the message. */
  @Override
  public String toString() {
    return LogText.line(
        "DeadLetter[eventId=%s, eventType=%s, %s, consumerService=%s]"
            .formatted(eventId, eventType, message, consumerService));
  }
}
