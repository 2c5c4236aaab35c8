package dev.postcommit.testkit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberStub;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A streaming pull that records what it gets and answers only when it is told to. */
final class PubSubStream
    implements ClientResponseObserver<StreamingPullRequest, StreamingPullResponse> {

  private final List<ReceivedMessage> received = new CopyOnWriteArrayList<>();
  private final List<StreamingPullResponse> responses = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private @Nullable ClientCallStreamObserver<StreamingPullRequest> requests;

  private PubSubStream() {}

  static PubSubStream open(SubscriberStub subscriber, StreamingPullRequest first) {
    PubSubStream stream = new PubSubStream();
    subscriber.streamingPull(stream);
    stream.send(first);
    return stream;
  }

  void send(StreamingPullRequest request) {
    requests.onNext(request);
  }

  void acknowledge(List<ReceivedMessage> messages) {
    send(
        StreamingPullRequest.newBuilder()
            .addAllAckIds(messages.stream().map(ReceivedMessage::getAckId).toList())
            .build());
  }

  void modifyAckDeadline(ReceivedMessage message, int seconds) {
    send(
        StreamingPullRequest.newBuilder()
            .addModifyDeadlineAckIds(message.getAckId())
            .addModifyDeadlineSeconds(seconds)
            .build());
  }

  /** What arrived so far. */
  List<ReceivedMessage> received() {
    return List.copyOf(received);
  }

  List<StreamingPullResponse> responses() {
    return List.copyOf(responses);
  }

  /** What arrived so far, which is {@code count} or more. */
  List<ReceivedMessage> await(int count) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(count));
    return received();
  }

  void cancel() {
    requests.cancel("The test is done with it", null);
  }

  void halfClose() {
    requests.onCompleted();
  }

  /** How the stream ended. */
  Status end() {
    return end.orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<StreamingPullRequest> observer) {
    requests = observer;
  }

  @Override
  public void onNext(StreamingPullResponse response) {
    responses.add(response);
    received.addAll(response.getReceivedMessagesList());
  }

  @Override
  public void onError(Throwable error) {
    end.complete(Status.fromThrowable(error));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }
}
