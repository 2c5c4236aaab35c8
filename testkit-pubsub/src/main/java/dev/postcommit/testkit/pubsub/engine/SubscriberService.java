package dev.postcommit.testkit.pubsub.engine;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.DeleteSubscriptionRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.ListSubscriptionsRequest;
import com.google.pubsub.v1.ListSubscriptionsResponse;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.Subscription;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Collections;

/** Subscriptions, and how their messages are got. */
final class SubscriberService extends SubscriberGrpc.SubscriberImplBase {

  private final Resources resources;

  SubscriberService(Resources resources) {
    this.resources = resources;
  }

  @Override
  public void createSubscription(Subscription request, StreamObserver<Subscription> caller) {
    Answer.with(caller, () -> resources.createSubscription(request));
  }

  @Override
  public void getSubscription(GetSubscriptionRequest request, StreamObserver<Subscription> caller) {
    Answer.with(caller, () -> resources.subscription(request.getSubscription()).settings());
  }

  @Override
  public void listSubscriptions(
      ListSubscriptionsRequest request, StreamObserver<ListSubscriptionsResponse> caller) {
    Answer.with(
        caller,
        () -> {
          String prefix = Names.project(request.getProject()) + "/subscriptions/";
          Page<Subscription> page =
              Page.of(
                  resources.subscriptions().stream()
                      .map(SubscriptionState::settings)
                      .filter(subscription -> subscription.getName().startsWith(prefix)),
                  Subscription::getName,
                  request.getPageSize(),
                  request.getPageToken());
          return ListSubscriptionsResponse.newBuilder()
              .addAllSubscriptions(page.content())
              .setNextPageToken(page.next())
              .build();
        });
  }

  @Override
  public void deleteSubscription(DeleteSubscriptionRequest request, StreamObserver<Empty> caller) {
    Answer.with(
        caller,
        () -> {
          resources.deleteSubscription(request.getSubscription());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> caller) {
    Answer.with(
        caller,
        () -> {
          Backlog backlog = resources.subscription(request.getSubscription()).backlog();
          refuseNone(request.getAckIdsCount());
          backlog.acknowledge(request.getAckIdsList());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void modifyAckDeadline(ModifyAckDeadlineRequest request, StreamObserver<Empty> caller) {
    Answer.with(
        caller,
        () -> {
          Backlog backlog = resources.subscription(request.getSubscription()).backlog();
          refuseNone(request.getAckIdsCount());
          int seconds =
              Limits.ackDeadline("ack_deadline_seconds", request.getAckDeadlineSeconds(), 0);
          backlog.modifyAckDeadlines(
              request.getAckIdsList(), Collections.nCopies(request.getAckIdsCount(), seconds));
          return Empty.getDefaultInstance();
        });
  }

  private static void refuseNone(int ackIds) {
    if (ackIds == 0) {
      throw Refusals.invalid("No ack ids specified.");
    }
  }

  @Override
  public void pull(PullRequest request, StreamObserver<PullResponse> caller) {
    SubscriptionState subscription;
    try {
      subscription = resources.subscription(request.getSubscription());
      if (request.getMaxMessages() < 1) {
        throw Refusals.invalid(
            "Invalid max_messages: " + request.getMaxMessages() + "; it must be positive.");
      }
    } catch (StatusRuntimeException e) {
      caller.onError(e);
      return;
    }
    PullCall.start(
        subscription, request, (ServerCallStreamObserver<PullResponse>) caller, resources.timer());
  }

  @Override
  public StreamObserver<StreamingPullRequest> streamingPull(
      StreamObserver<StreamingPullResponse> caller) {
    return PullRequests.of(resources, (ServerCallStreamObserver<StreamingPullResponse>) caller);
  }
}
