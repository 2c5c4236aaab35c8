package dev.postcommit.testkit.pubsub;

import static dev.postcommit.testkit.pubsub.PubSubCalls.bodies;
import static dev.postcommit.testkit.pubsub.PubSubCalls.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.SubscriberGrpc;
import dev.postcommit.testkit.process.Ports;
import dev.postcommit.testkit.pubsub.PubSubProxy.Fault;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PubSubProxyIT {

  private static PubSubServer server;

  /** Past the proxy. */
  private static PubSubCalls direct;

  private PubSubProxy proxy;
  private PubSubCalls calls;
  private String topic;

  @BeforeAll
  static void start() {
    server = PubSubServer.start();
    direct = new PubSubCalls(server);
  }

  @AfterAll
  static void stop() {
    direct.close();
    server.close();
  }

  @BeforeEach
  void open() {
    proxy = PubSubProxy.before(server);
    calls = new PubSubCalls(server, proxy.emulatorHost());
    topic = direct.newTopic();
  }

  @AfterEach
  void close() {
    calls.close();
    proxy.close();
    proxy.close();
  }

  @Test
  void whileNothingIsWrongEverythingPasses() {
    PubSubStream stream = calls.stream(topic);
    PubsubMessage large =
        PubsubMessage.newBuilder().setData(ByteString.copyFrom(new byte[9_000_000])).build();

    calls.publish(topic, "key", "1", "2", "3");
    calls.publish(topic, large);

    stream.await(4);
    stream.acknowledge(stream.received());
    assertThat(status(() -> calls.publish("missing", "", "x"))).isEqualTo(Status.Code.NOT_FOUND);
    server.deleteSubscription(topic);
    assertThat(stream.end().getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  /** With our server alone: the emulator keeps what such a client had for long. */
  @Test
  void aClientThatIsGoneIsGoneForTheServiceToo() {
    try (PubSubServer ours = PubSubServer.startHere();
        PubSubProxy before = PubSubProxy.before(ours);
        PubSubCalls to = new PubSubCalls(ours);
        PubSubCalls through = new PubSubCalls(ours, before.emulatorHost())) {
      String name = to.newTopic();
      PubSubStream stream = through.stream(name);
      to.publish(name, "key", "1");
      stream.await(1);

      stream.cancel();
      PubSubStream next = to.stream(name);

      assertThat(bodies(next.await(1))).containsExactly("1");
      next.cancel();
    }
  }

  @Test
  void anOutageBreaksConnectionsUntilItIsOver() {
    PubSubStream stream = calls.stream(topic);
    calls.publish(topic, "key", "before");
    stream.await(1);
    int port = Integer.parseInt(proxy.emulatorHost().split(":")[1]);

    proxy.stop();

    assertThat(stream.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(Ports.listening(port)).isFalse();
    assertThat(status(() -> calls.publish(topic, "key", "during")))
        .isEqualTo(Status.Code.UNAVAILABLE);
    proxy.restart();
    await().until(() -> status(() -> calls.publish(topic, "key", "after")) == Status.Code.OK);
  }

  @Test
  void whatWaitsInAFreezeGoesOnAfterIt() {
    PubSubStream stream = calls.stream(topic);
    calls.publish(topic, "key", "before");
    stream.await(1);

    proxy.freeze();
    CompletableFuture<List<String>> publish =
        CompletableFuture.supplyAsync(() -> calls.publish(topic, "key", "from the client"));
    direct.publish(topic, "other", "from the service");
    await()
        .during(Duration.ofMillis(300))
        .until(() -> !publish.isDone() && stream.received().size() == 1);
    proxy.thaw();

    assertThat(publish.orTimeout(5, TimeUnit.SECONDS).join()).hasSize(1);
    assertThat(bodies(stream.await(3)))
        .containsExactlyInAnyOrder("before", "from the service", "from the client");
    stream.cancel();
  }

  @Test
  void errorsOfOneKeyConcernNoOther() {
    Fault fault = proxy.fail(key("bad"), Status.INTERNAL.withDescription("on purpose"));

    assertThatThrownBy(() -> calls.publish(topic, "bad", "1")).hasMessageContaining("on purpose");
    calls.publish(topic, "good", "2");
    assertThat(status(() -> calls.publish(topic, "bad", "3"))).isEqualTo(Status.Code.INTERNAL);
    fault.end();
    calls.publish(topic, "bad", "4");

    assertThat(fault.count()).isEqualTo(2);
    assertThat(bodies(direct.pull(topic, 2))).containsExactlyInAnyOrder("2", "4");
  }

  @Test
  void aFaultEndsAfterTheTimesItWasToldTo() {
    Fault fault = proxy.fail(key("key"), Status.UNAVAILABLE, 2);

    assertThat(status(() -> calls.publish(topic, "key", "1"))).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status(() -> calls.publish(topic, "key", "2"))).isEqualTo(Status.Code.UNAVAILABLE);
    calls.publish(topic, "key", "3");

    assertThat(fault.count()).isEqualTo(2);
    assertThat(bodies(direct.pull(topic, 1))).containsExactly("3");
  }

  @Test
  void anyMethodCanFail() {
    Fault lookups =
        proxy.fail(PublisherGrpc.getGetTopicMethod().getFullMethodName(), Status.PERMISSION_DENIED);
    Fault streams =
        proxy.fail(
            SubscriberGrpc.getStreamingPullMethod().getFullMethodName(), Status.UNAVAILABLE, 1);

    assertThat(status(this::lookUp)).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(calls.stream(topic).end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

    lookups.end();
    assertThat(status(this::lookUp)).isEqualTo(Status.Code.OK);
    PubSubStream stream = calls.stream(topic);
    calls.publish(topic, "key", "1");
    stream.await(1);
    stream.cancel();
    assertThat(lookups.count()).isEqualTo(1);
    assertThat(streams.count()).isEqualTo(1);
  }

  private void lookUp() {
    calls
        .publisher()
        .getTopic(GetTopicRequest.newBuilder().setTopic(server.topicName(topic)).build());
  }

  @Test
  void anAnswerThatIsLostLeavesTheMessageWithTheService() {
    Fault fault = proxy.loseAnswers(key("key"), Status.DEADLINE_EXCEEDED, 1);

    assertThat(status(() -> calls.publish("missing", "key", "0"))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(fault.count()).as("answers of messages that were not taken").isZero();
    assertThat(status(() -> calls.publish(topic, "key", "1")))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    calls.publish(topic, "key", "1");

    assertThat(fault.count()).isEqualTo(1);
    assertThat(bodies(direct.pull(topic, 2))).containsExactly("1", "1");
  }

  @Test
  void aFaultIsAnError() {
    assertThatThrownBy(() -> proxy.fail(key("key"), Status.OK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OK");
  }

  private static Predicate<PublishRequest> key(String key) {
    return request -> request.getMessages(0).getOrderingKey().equals(key);
  }
}
