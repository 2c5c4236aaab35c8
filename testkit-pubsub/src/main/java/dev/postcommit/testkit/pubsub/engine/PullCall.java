package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One pull, which waits a while for its first message and takes what is there then. */
final class PullCall extends Consumer {

  private static final int PATIENCE_SECONDS = 5;

  private final SubscriptionState subscription;
  private final int maxMessages;
  private final ServerCallStreamObserver<PullResponse> caller;
  private boolean answered;

  private PullCall(
      SubscriptionState subscription,
      int maxMessages,
      ServerCallStreamObserver<PullResponse> caller) {
    this.subscription = subscription;
    this.maxMessages = maxMessages;
    this.caller = caller;
  }

  @SuppressWarnings({"deprecation", "FutureReturnValueIgnored"}) // clients may still ask for it
  static void start(
      SubscriptionState subscription,
      PullRequest request,
      ServerCallStreamObserver<PullResponse> caller,
      ScheduledExecutorService timer) {
    PullCall call = new PullCall(subscription, request.getMaxMessages(), caller);
    Backlog backlog = subscription.backlog();
    caller.setOnCancelHandler(() -> backlog.leave(call));
    backlog.join(call);
    if (request.getReturnImmediately()) {
      backlog.dismiss(call);
    } else {
      timer.schedule(() -> backlog.dismiss(call), PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  int ackDeadlineSeconds() {
    return subscription.settings().getAckDeadlineSeconds();
  }

  @Override
  boolean takesMore() {
    return !answered && !caller.isCancelled() && leases.size() < maxMessages;
  }

  @Override
  boolean isOver() {
    return answered;
  }

  @Override
  void send(List<ReceivedMessage> messages) {
    if (!answered) {
      answered = true;
      caller.onNext(PullResponse.newBuilder().addAllReceivedMessages(messages).build());
      caller.onCompleted();
    }
  }

  @Override
  void finish() {
    answered = true;
  }

  @Override
  void fail(StatusRuntimeException reason) {
    if (!answered) {
      answered = true;
      caller.onError(reason);
    }
  }
}
