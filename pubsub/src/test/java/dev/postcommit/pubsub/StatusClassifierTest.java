package dev.postcommit.pubsub;

import static com.google.api.gax.rpc.StatusCode.Code.CANCELLED;
import static com.google.api.gax.rpc.StatusCode.Code.INVALID_ARGUMENT;
import static com.google.api.gax.rpc.StatusCode.Code.NOT_FOUND;
import static com.google.api.gax.rpc.StatusCode.Code.PERMISSION_DENIED;
import static com.google.api.gax.rpc.StatusCode.Code.RESOURCE_EXHAUSTED;
import static com.google.api.gax.rpc.StatusCode.Code.UNAUTHENTICATED;
import static com.google.api.gax.rpc.StatusCode.Code.UNIMPLEMENTED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.grpc.GrpcStatusCode;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import dev.postcommit.pubsub.StatusClassifier.Verdict;
import dev.postcommit.relay.Delivery;
import dev.postcommit.support.Wrappers;
import io.grpc.Status;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusClassifierTest {
  private static final String TOPIC = "projects/p/topics/orders";

  private static final Set<Code> NO_ANSWERS =
      EnumSet.of(
          Code.UNAVAILABLE,
          Code.DEADLINE_EXCEEDED,
          Code.CANCELLED,
          Code.UNAUTHENTICATED,
          Code.INTERNAL,
          Code.UNKNOWN,
          Code.ABORTED,
          Code.DATA_LOSS);

  private static ApiException error(Code code, @Nullable String text) {
    Status status = Status.fromCode(Status.Code.valueOf(code.name())).withDescription(text);
    return new ApiException(
        status.asRuntimeException(), GrpcStatusCode.of(status.getCode()), false);
  }

  @Test
  void everyCodeHasItsVerdict() {
    Map<Code, Verdict> expected = new EnumMap<>(Code.class);
    Map<Code, Verdict> actual = new EnumMap<>(Code.class);
    for (Code code : Code.values()) {
      expected.put(code, Verdict.UNCLEAR);
      actual.put(code, StatusClassifier.verdict(error(code, null)));
    }
    expected.put(INVALID_ARGUMENT, Verdict.REFUSED);
    expected.put(NOT_FOUND, Verdict.TOPIC);
    expected.put(PERMISSION_DENIED, Verdict.TOPIC);
    for (Code code : Set.of(UNAUTHENTICATED, RESOURCE_EXHAUSTED, UNIMPLEMENTED, CANCELLED)) {
      expected.put(code, Verdict.UNAVAILABLE);
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(StatusClassifier.verdict(new IllegalStateException())).isEqualTo(Verdict.UNCLEAR);
  }

  @Test
  void everyCodeIsAnAnswerOrNone() {
    Set<Code> none = EnumSet.noneOf(Code.class);
    for (Code code : Code.values()) {
      if (!StatusClassifier.isAnswer(error(code, null))) {
        none.add(code);
      }
    }
    assertThat(none).isEqualTo(NO_ANSWERS);
    assertThat(StatusClassifier.isAnswer(new IllegalStateException())).isFalse();
  }

  @Test
  void reasonsSayWhatToDo() {
    reason(INVALID_ARGUMENT, "Pub/Sub refuses it: INVALID_ARGUMENT: why");
    reason(
        NOT_FOUND,
        "topic projects/p/topics/orders does not exist; create it: gcloud pubsub topics create"
            + " orders --project p");
    reason(
        PERMISSION_DENIED,
        "may not publish to topic projects/p/topics/orders; grant roles/pubsub.publisher on it:"
            + " PERMISSION_DENIED: why");
    reason(
        RESOURCE_EXHAUSTED,
        "a quota of Pub/Sub is used up; see the quotas of its project: RESOURCE_EXHAUSTED: why");
    reason(
        UNIMPLEMENTED,
        "the server cannot publish; is there Pub/Sub at this address? UNIMPLEMENTED: why");
    reason(
        UNAUTHENTICATED,
        "Pub/Sub does not accept the credentials; set GOOGLE_APPLICATION_CREDENTIALS to the file of"
            + " a service account's key, or run 'gcloud auth application-default login', or set"
            + " PUBSUB_EMULATOR_HOST for a server without credentials: UNAUTHENTICATED: why");
    reason(CANCELLED, "CANCELLED: why");
    assertThat(StatusClassifier.reason(new IllegalStateException("what?"), TOPIC))
        .isEqualTo("what?");
  }

  @Test
  void whatIsTheServersFaultCountsNoAttempt() {
    Set<Code> deferred = EnumSet.noneOf(Code.class);
    for (Code code : Code.values()) {
      ApiException error = error(code, "after 0.98 s");
      Delivery delivery = StatusClassifier.unclear(error, TOPIC);
      if (delivery instanceof Delivery.Deferred) {
        deferred.add(code);
        assertThat(delivery)
            .isEqualTo(
                new Delivery.Deferred(
                    "Pub/Sub takes no message for topic %s now: %s".formatted(TOPIC, code), error));
      } else {
        assertThat(delivery).isInstanceOf(Delivery.Retryable.class);
      }
    }
    assertThat(deferred)
        .containsExactlyInAnyOrder(
            Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.ABORTED, Code.FAILED_PRECONDITION);
    assertThat(StatusClassifier.unclear(new IllegalStateException("what?"), TOPIC))
        .isInstanceOf(Delivery.Retryable.class);
  }

  @Test
  void theReasonOfARefusalStaysTheSame() {
    String text = "prohibited by policy. vpcServiceControlsUniqueIdentifier: a%d_-B";
    assertThat(StatusClassifier.reason(error(PERMISSION_DENIED, text.formatted(1)), TOPIC))
        .isEqualTo(StatusClassifier.reason(error(PERMISSION_DENIED, text.formatted(2)), TOPIC))
        .endsWith("prohibited by policy.");
  }

  private static void reason(Code code, String expected) {
    assertThat(StatusClassifier.reason(error(code, "why"), TOPIC)).isEqualTo(expected);
  }

  @Test
  void textsNameTheirRoot() {
    Throwable refused =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new CompletionException(new IOException("Connection refused")))
            .asRuntimeException();
    ApiException error =
        new ApiException(refused, GrpcStatusCode.of(Status.Code.UNAVAILABLE), true);
    assertThat(StatusClassifier.text(error))
        .isEqualTo("UNAVAILABLE: io exception (Connection refused)");
    assertThat(StatusClassifier.text(new IllegalStateException()))
        .isEqualTo("IllegalStateException");
  }

  @Test
  void looksIntoTheExceptionsOfFutures() {
    RuntimeException cause = new IllegalStateException();
    Throwable wrapped = new CompletionException(new ExecutionException(cause));
    assertThat(Wrappers.unwrap(wrapped)).isSameAs(cause);
    assertThat(Wrappers.unwrap(cause)).isSameAs(cause);
  }
}
