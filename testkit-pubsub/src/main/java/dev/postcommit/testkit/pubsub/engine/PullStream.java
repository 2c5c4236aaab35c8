package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.StreamingPullResponse.SubscriptionProperties;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;

/** One stream of a streaming pull, from its first request on. */
final class PullStream extends Consumer {

  private final SubscriptionState subscription;
  private final ServerCallStreamObserver<StreamingPullResponse> caller;
  private final long maxMessages;
  private final long maxBytes;
  private final boolean keepsAlive;
  private int ackDeadlineSeconds;
  private boolean over;

  PullStream(
      SubscriptionState subscription,
      StreamingPullRequest first,
      ServerCallStreamObserver<StreamingPullResponse> caller) {
    this.subscription = subscription;
    this.caller = caller;
    this.maxMessages = unlimitedIfNone(first.getMaxOutstandingMessages());
    this.maxBytes = unlimitedIfNone(first.getMaxOutstandingBytes());
    this.keepsAlive = first.getProtocolVersion() >= 1;
    this.ackDeadlineSeconds =
        Limits.ackDeadline("stream_ack_deadline_seconds", first.getStreamAckDeadlineSeconds(), 10);
  }

  private static long unlimitedIfNone(long limit) {
    return limit <= 0 ? Long.MAX_VALUE : limit;
  }

  Backlog backlog() {
    return subscription.backlog();
  }

  /** Takes a request that is not the first. */
  void handle(StreamingPullRequest request) {
    check(request);
    synchronized (backlog()) {
      if (over) {
        return;
      }
      if (request.getStreamAckDeadlineSeconds() != 0) {
        ackDeadlineSeconds = request.getStreamAckDeadlineSeconds();
      }
      backlog().acknowledge(request.getAckIdsList());
      backlog()
          .modifyAckDeadlines(
              request.getModifyDeadlineAckIdsList(), request.getModifyDeadlineSecondsList());
      if (keepsAlive && request.equals(StreamingPullRequest.getDefaultInstance())) {
        send(List.of());
      }
    }
  }

  private static void check(StreamingPullRequest request) {
    if (!request.getSubscription().isEmpty() || !request.getClientId().isEmpty()) {
      throw Refusals.invalid(
          "Only the first request of a stream names subscription and client_id.");
    }
    if (request.getStreamAckDeadlineSeconds() != 0) {
      Limits.ackDeadline("stream_ack_deadline_seconds", request.getStreamAckDeadlineSeconds(), 10);
    }
    if (request.getModifyDeadlineAckIdsCount() != request.getModifyDeadlineSecondsCount()) {
      throw Refusals.invalid(
          "There must be as many modify_deadline_seconds as modify_deadline_ack_ids.");
    }
    request
        .getModifyDeadlineSecondsList()
        .forEach(seconds -> Limits.ackDeadline("modify_deadline_seconds", seconds, 0));
  }

  @Override
  int ackDeadlineSeconds() {
    return ackDeadlineSeconds;
  }

  @Override
  boolean takesMore() {
    return !over && caller.isReady() && leases.size() < maxMessages && outstandingBytes < maxBytes;
  }

  @Override
  boolean isOver() {
    return over;
  }

  @Override
  void send(List<ReceivedMessage> messages) {
    caller.onNext(
        StreamingPullResponse.newBuilder()
            .addAllReceivedMessages(messages)
            .setSubscriptionProperties(
                SubscriptionProperties.newBuilder()
                    .setMessageOrderingEnabled(subscription.settings().getEnableMessageOrdering()))
            .build());
  }

  @Override
  void finish() {
    if (!over) {
      over = true;
      if (!caller.isCancelled()) {
        caller.onCompleted();
      }
    }
  }

  @Override
  void fail(StatusRuntimeException reason) {
    if (!over) {
      over = true;
      caller.onError(reason);
    }
  }
}
