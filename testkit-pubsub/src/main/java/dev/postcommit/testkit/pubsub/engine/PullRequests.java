package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** What a client says on a stream: first what it wants, then how it gets on. */
final class PullRequests implements StreamObserver<StreamingPullRequest> {

  private final Resources resources;
  private final ServerCallStreamObserver<StreamingPullResponse> caller;
  private volatile @Nullable PullStream stream;
  private boolean refused;

  private PullRequests(
      Resources resources, ServerCallStreamObserver<StreamingPullResponse> caller) {
    this.resources = resources;
    this.caller = caller;
  }

  static PullRequests of(
      Resources resources, ServerCallStreamObserver<StreamingPullResponse> caller) {
    PullRequests requests = new PullRequests(resources, caller);
    caller.setOnReadyHandler(requests::onReady);
    caller.setOnCancelHandler(requests::leave);
    return requests;
  }

  @Override
  public void onNext(StreamingPullRequest request) {
    if (refused) {
      return;
    }
    try {
      PullStream known = stream;
      if (known == null) {
        start(request);
      } else {
        known.handle(request);
      }
    } catch (StatusRuntimeException e) {
      refuse(e);
    }
  }

  private void start(StreamingPullRequest request) {
    SubscriptionState subscription = resources.subscription(request.getSubscription());
    PullStream started = new PullStream(subscription, request, caller);
    stream = started;
    subscription.backlog().join(started);
  }

  private void refuse(StatusRuntimeException reason) {
    refused = true;
    PullStream known = stream;
    if (known == null) {
      caller.onError(reason);
    } else {
      known.backlog().expel(known, reason);
    }
  }

  private void onReady() {
    PullStream known = stream;
    if (known != null) {
      known.backlog().wake();
    }
  }

  /** A call that breaks is cancelled too, and seen to there. */
  @Override
  public void onError(Throwable broken) {}

  @Override
  public void onCompleted() {
    if (refused) {
      return;
    }
    if (stream == null) {
      caller.onCompleted();
    } else {
      leave();
    }
  }

  private void leave() {
    PullStream known = stream;
    if (known != null) {
      known.backlog().leave(known);
    }
  }
}
