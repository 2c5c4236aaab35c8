package dev.postcommit.testkit.pubsub;

import static dev.postcommit.testkit.pubsub.PubSubCalls.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PushConfig;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.SchemaSettings;
import com.google.pubsub.v1.SeekRequest;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import com.google.pubsub.v1.UpdateTopicRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What our server refuses, and how it says so. Of our server alone: the official emulator takes
 * much of what the real service refuses, and ignores settings that it does not know.
 */
class PubSubLimitsIT {

  private static PubSubServer server;
  private static PubSubCalls calls;
  private static String topic;

  @BeforeAll
  static void start() {
    server = PubSubServer.startHere();
    calls = new PubSubCalls(server);
    topic = calls.newTopic();
  }

  @AfterAll
  static void stop() {
    calls.close();
    server.close();
  }

  @Test
  void badNamesAreRefused() {
    for (String name :
        new String[] {
          "ab",
          "1abc",
          "goog-topic",
          "a b c",
          "t".repeat(256),
          "projects/p/topics/a/b",
          "projects/p/topic/abc"
        }) {
      invalid("Invalid resource name", () -> server.createTopic(name));
      invalid("Invalid resource name", () -> server.createSubscription(name, topic));
    }
    invalid("Invalid resource name", () -> calls.publish("projects/p/subscriptions/abc", "", "x"));
    server.createTopic("a" + "-._~+%9".repeat(36) + "xx");
  }

  @Test
  void messagesBeyondTheLimitsAreRefused() {
    invalid("1 to 1000", () -> calls.publish(topic));
    invalid("1 to 1000", () -> calls.publish(topic, "", strings(1_001)));
    calls.publish(topic, "", strings(1_000));
    invalid("neither data nor attributes", () -> calls.publish(topic, "key", ""));
    invalid("ordering key", () -> calls.publish(topic, "ä".repeat(513), "x"));
    calls.publish(topic, "ä".repeat(512), "x");
    invalid("one ordering key", () -> calls.publish(topic, message("a", "x"), message("b", "x")));
    invalid("message data", () -> calls.publish(topic, large(10_000_001)));
    invalid("request is too large", () -> calls.publish(topic, large(10_000_000)));
    invalid("request is too large", () -> calls.publish(topic, large(5_000_000), large(5_000_000)));
    calls.publish(topic, large(9_999_900));
  }

  @Test
  void attributesBeyondTheLimitsAreRefused() {
    invalid("101 attributes", () -> calls.publish(topic, attributes(101)));
    calls.publish(topic, attributes(100));
    invalid("attribute key", () -> calls.publish(topic, attribute("k".repeat(257), "v")));
    invalid("attribute key", () -> calls.publish(topic, attribute("", "v")));
    invalid("attribute key", () -> calls.publish(topic, attribute("google", "v")));
    invalid("attribute value", () -> calls.publish(topic, attribute("k", "v".repeat(1_025))));
    calls.publish(topic, attribute("k".repeat(256), "v".repeat(1_024)));
  }

  @Test
  void aRequestIsTakenAsAWholeOrNotAtAll() {
    String other = calls.newTopic();

    invalid("neither", () -> calls.publish(other, message("", "good"), message("", "")));

    assertThat(calls.pullNow(other)).isEmpty();
  }

  @Test
  void deadlinesBeyondTheLimitsAreRefused() {
    for (int seconds : new int[] {-1, 9, 601}) {
      Subscription subscription = subscription().setAckDeadlineSeconds(seconds).build();
      invalid("10 to 600", () -> server.createSubscription(subscription));
    }
    String name = server.subscriptionName(topic);
    for (int seconds : new int[] {-1, 601}) {
      ModifyAckDeadlineRequest request =
          ModifyAckDeadlineRequest.newBuilder()
              .setSubscription(name)
              .addAckIds("1-1")
              .setAckDeadlineSeconds(seconds)
              .build();
      invalid("0 to 600", () -> calls.subscriber().modifyAckDeadline(request));
    }
    invalid(
        "No ack ids",
        () ->
            calls
                .subscriber()
                .acknowledge(AcknowledgeRequest.newBuilder().setSubscription(name).build()));
    invalid(
        "max_messages",
        () -> calls.subscriber().pull(PullRequest.newBuilder().setSubscription(name).build()));
  }

  @Test
  void aStreamThatIsUsedWronglyEnds() {
    String name = server.subscriptionName(topic);
    StreamingPullRequest first =
        StreamingPullRequest.newBuilder()
            .setSubscription(name)
            .setStreamAckDeadlineSeconds(9)
            .build();
    endsInvalid("10 to 600", calls.stream(first));
    PubSubStream again = calls.stream(topic);
    again.send(first.toBuilder().setStreamAckDeadlineSeconds(10).build());
    endsInvalid("Only the first request", again);
    PubSubStream uneven = calls.stream(topic);
    uneven.send(StreamingPullRequest.newBuilder().addModifyDeadlineAckIds("1-1").build());
    endsInvalid("as many", uneven);
    PubSubStream tooLong = calls.stream(topic);
    tooLong.send(
        StreamingPullRequest.newBuilder()
            .addModifyDeadlineAckIds("1-1")
            .addModifyDeadlineSeconds(601)
            .build());
    endsInvalid("0 to 600", tooLong);
  }

  @Test
  void whatIsNotSupportedIsRefusedByName() {
    unsupported("enable_exactly_once_delivery", subscription().setEnableExactlyOnceDelivery(true));
    unsupported("filter", subscription().setFilter("hasPrefix(attributes.a, \"b\")"));
    unsupported("retain_acked_messages", subscription().setRetainAckedMessages(true));
    unsupported(
        "push_config",
        subscription().setPushConfig(PushConfig.newBuilder().setPushEndpoint("https://a.example")));
    unsupported(
        "dead_letter_policy",
        subscription()
            .setDeadLetterPolicy(DeadLetterPolicy.newBuilder().setMaxDeliveryAttempts(5)));
    unsupported(
        "retry_policy",
        subscription()
            .setRetryPolicy(
                RetryPolicy.newBuilder().setMinimumBackoff(Duration.newBuilder().setSeconds(1))));
    refused(
        Status.Code.UNIMPLEMENTED,
        "Topic.schema_settings",
        () ->
            calls
                .publisher()
                .createTopic(
                    Topic.newBuilder()
                        .setName(server.topicName("with-schema"))
                        .setSchemaSettings(SchemaSettings.newBuilder().setSchema("s"))
                        .build()));
    refused(
        Status.Code.UNIMPLEMENTED,
        "Seek",
        () ->
            calls
                .subscriber()
                .seek(
                    SeekRequest.newBuilder()
                        .setSubscription(server.subscriptionName(topic))
                        .build()));
  }

  @Test
  void labelsOfATopicCanBeChanged() {
    Topic changed =
        Topic.newBuilder().setName(server.topicName(topic)).putLabels("team", "orders").build();

    Topic answer = calls.publisher().updateTopic(update(changed, "labels"));

    assertThat(answer.getLabelsMap()).isEqualTo(Map.of("team", "orders"));
    invalid("update_mask", () -> calls.publisher().updateTopic(update(changed)));
    refused(
        Status.Code.UNIMPLEMENTED,
        "kms_key_name",
        () -> calls.publisher().updateTopic(update(changed, "kms_key_name")));
  }

  private static UpdateTopicRequest update(Topic changed, String... paths) {
    return UpdateTopicRequest.newBuilder()
        .setTopic(changed)
        .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(paths)))
        .build();
  }

  private static Subscription.Builder subscription() {
    return Subscription.newBuilder().setName("settings").setTopic(topic);
  }

  private static void unsupported(String field, Subscription.Builder subscription) {
    refused(
        Status.Code.UNIMPLEMENTED,
        "Subscription." + field,
        () -> server.createSubscription(subscription.build()));
  }

  private static void invalid(String text, Runnable call) {
    refused(Status.Code.INVALID_ARGUMENT, text, call);
  }

  private static void refused(Status.Code code, String text, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).as(e.getMessage()).isEqualTo(code))
        .hasMessageContaining(text);
  }

  private static void endsInvalid(String text, PubSubStream stream) {
    Status end = stream.end();
    assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(end.getDescription()).contains(text);
  }

  private static String[] strings(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).toArray(String[]::new);
  }

  private static PubsubMessage large(int bytes) {
    return PubsubMessage.newBuilder().setData(ByteString.copyFrom(new byte[bytes])).build();
  }

  private static PubsubMessage attribute(String key, String value) {
    return PubsubMessage.newBuilder().putAttributes(key, value).build();
  }

  private static PubsubMessage attributes(int count) {
    PubsubMessage.Builder message = PubsubMessage.newBuilder();
    IntStream.range(0, count).forEach(i -> message.putAttributes("key " + i, ""));
    return message.build();
  }
}
