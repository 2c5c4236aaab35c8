package dev.postcommit.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import dev.postcommit.relay.Delivery;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a failed request means, by its status code alone.
 *
 * <table>
 * <caption>Codes and what they mean for the messages of a request</caption>
 * <tr><th>code</th><th>verdict</th></tr>
 * <tr><td>{@code INVALID_ARGUMENT}</td><td>refused: a message is at fault</td></tr>
 * <tr><td>{@code NOT_FOUND}, {@code PERMISSION_DENIED}</td><td>topic: it is missing, or may not be
 *     published to</td></tr>
 * <tr><td>{@code UNAUTHENTICATED}, {@code RESOURCE_EXHAUSTED}, {@code UNIMPLEMENTED}, {@code
 *     CANCELLED}</td><td>unavailable: no message would fare better now</td></tr>
 * <tr><td>all others, and failures without a code</td><td>unclear: the server is asked whether it
 *     works. If not, it is unavailable. If so, {@code UNAVAILABLE}, {@code DEADLINE_EXCEEDED}, {@code
 *     ABORTED} and {@code FAILED_PRECONDITION} (as a key that is switched off makes a topic
 *     unusable) defer the message: no attempt counts. What is left, as {@code INTERNAL} and {@code
 *     UNKNOWN}, counts as an attempt, as the message may be what the server stumbles over</td></tr>
 * </table>
 */
final class StatusClassifier {

  /** The kinds of failure. */
  enum Verdict {
    /** Pub/Sub will never take one of the messages. */
    REFUSED,
    /** The topic is missing or forbidden. */
    TOPIC,
    /** Pub/Sub as a whole cannot be used; no message is to blame. */
    UNAVAILABLE,
    /** Pub/Sub has to be asked whether it works. */
    UNCLEAR
  }

  /** What to do if there are no credentials, or they are not accepted. */
  static final String CREDENTIALS_ADVICE =
      "set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account's key, or run 'gcloud auth"
          + " application-default login', or set PUBSUB_EMULATOR_HOST for a server without"
          + " credentials";

  /** The part of the text in which refusals for the same reason differ. */
  private static final Pattern UNIQUE =
      Pattern.compile("\\s*vpcServiceControlsUniqueIdentifier: \\S+");

  private StatusClassifier() {}

  static Verdict verdict(Throwable error) {
    @Nullable Code code = code(error);
    if (code == null) {
      return Verdict.UNCLEAR;
    }
    return switch (code) {
      case INVALID_ARGUMENT -> Verdict.REFUSED;
      case NOT_FOUND, PERMISSION_DENIED -> Verdict.TOPIC;
      case UNAUTHENTICATED, RESOURCE_EXHAUSTED, UNIMPLEMENTED, CANCELLED -> Verdict.UNAVAILABLE;
      default -> Verdict.UNCLEAR;
    };
  }

  /** The outcome of a message whose request failed while the server answers. */
  static Delivery unclear(Throwable error, String topic) {
    @Nullable Code code = code(error);
    boolean serversFault =
        code == Code.UNAVAILABLE
            || code == Code.DEADLINE_EXCEEDED
            || code == Code.ABORTED
            || code == Code.FAILED_PRECONDITION;
    return serversFault
        // Without the server's text, which may differ each time.
        ? new Delivery.Deferred(
            "Pub/Sub takes no message for topic %s now: %s".formatted(topic, code), error)
        : new Delivery.Retryable(reason(error, topic), error);
  }

  /** Whether a question that failed this way was answered by a working server. */
  static boolean isAnswer(Throwable error) {
    @Nullable Code code = code(error);
    if (code == null) {
      return false;
    }
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNAUTHENTICATED -> false;
      case INTERNAL, UNKNOWN, ABORTED, DATA_LOSS -> false;
      default -> true;
    };
  }

  /** Why a request to publish failed and what to do, for an operator to read. */
  static String reason(Throwable error, String topic) {
    @Nullable Code code = code(error);
    if (code == null) {
      return text(error);
    }
    return switch (code) {
      case INVALID_ARGUMENT -> "Pub/Sub refuses it: " + text(error);
      case NOT_FOUND -> missing(topic);
      case PERMISSION_DENIED ->
          "may not publish to topic %s; grant roles/pubsub.publisher on it: %s"
              .formatted(topic, UNIQUE.matcher(text(error)).replaceAll(""));
      case UNAUTHENTICATED -> unauthenticated(error);
      case RESOURCE_EXHAUSTED ->
          "a quota of Pub/Sub is used up; see the quotas of its project: " + text(error);
      case UNIMPLEMENTED ->
          "the server cannot publish; is there Pub/Sub at this address? " + text(error);
      default -> text(error);
    };
  }

  static String unauthenticated(Throwable error) {
    return "Pub/Sub does not accept the credentials; %s: %s"
        .formatted(CREDENTIALS_ADVICE, text(error));
  }

  /** That a topic, given by its full name, does not exist. */
  static String missing(String topic) {
    String[] parts = topic.split("/", -1);
    return "topic %s does not exist; create it: gcloud pubsub topics create %s --project %s"
        .formatted(topic, parts[3], parts[1]);
  }

  static @Nullable Code code(Throwable error) {
    return error instanceof ApiException api ? api.getStatusCode().getCode() : null;
  }

  /** The message of the server or client, and that of its root cause. */
  static String text(Throwable error) {
    @Nullable Throwable inner = error.getCause();
    Throwable said = error instanceof ApiException && inner != null ? inner : error;
    Throwable root = said;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = message(said);
    return text.contains(message(root)) ? text : text + " (" + message(root) + ")";
  }

  private static String message(Throwable error) {
    @Nullable String message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }
}
