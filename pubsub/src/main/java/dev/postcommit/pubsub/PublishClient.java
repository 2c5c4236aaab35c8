package dev.postcommit.pubsub;

import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.api.gax.batching.BatchingSettings;
import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.core.FixedExecutorProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.ChannelPoolSettings;
import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.StatusCode.Code;
import com.google.api.gax.rpc.UnaryCallable;
import com.google.auth.Credentials;
import com.google.cloud.pubsub.v1.stub.GrpcPublisherStub;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.cloud.pubsub.v1.stub.PublisherStubSettings;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import dev.postcommit.support.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The publisher's connection to Pub/Sub, made when it is first needed.
 *
 * <p>Work that follows an answer runs on a few threads of the client's own. A thread per answer
 * would be twice as slow, because answers come in bursts.
 */
final class PublishClient implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final int CHANNELS = Math.max(2, Runtime.getRuntime().availableProcessors());
  private static final int THREADS = 2 * CHANNELS;

  private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
  private static final Duration LONGEST_END = Duration.ofSeconds(2);
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
  private static final int ATTEMPTS = 4;
  private static final Set<Code> TRIED_AGAIN =
      Set.of(Code.UNAVAILABLE, Code.ABORTED, Code.INTERNAL, Code.UNKNOWN);

  private final PubSubConnection connection;
  private final String name = "postcommit-pubsub-" + COUNT.incrementAndGet();
  private final ExecutorService threads;
  private final ScheduledThreadPoolExecutor timer;
  private final ChannelReconnects reconnects =
      new ChannelReconnects(name + "-reconnects", LONGEST_RECONNECT);
  private @Nullable CompletableFuture<PublisherStub> stub;
  private boolean closed;

  PublishClient(PubSubConnection connection) {
    this.connection = connection;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named(name),
            new ThreadPoolExecutor.DiscardPolicy());
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Daemons.named(name + "-timer"), new ThreadPoolExecutor.DiscardPolicy());
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Runs work after a delay. */
  void later(Runnable work, Duration delay) {
    var unused = timer.schedule(() -> threads.execute(work), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Publishes messages of one topic, trying a few times in quick succession. */
  CompletableFuture<PublishResponse> publish(PublishRequest request, Duration timeout) {
    return call(PublisherStub::publishCallable, request, timeout, ATTEMPTS);
  }

  /** Sends a request once. */
  <Q, A> CompletableFuture<A> ask(
      Function<PublisherStub, UnaryCallable<Q, A>> question, Q request, Duration timeout) {
    return call(question, request, timeout, 1);
  }

  private <Q, A> CompletableFuture<A> call(
      Function<PublisherStub, UnaryCallable<Q, A>> method,
      Q request,
      Duration timeout,
      int attempts) {
    RetrySettings retries =
        RetrySettings.newBuilder()
            .setMaxAttempts(attempts)
            .setInitialRetryDelayDuration(FIRST_RETRY)
            .setRetryDelayMultiplier(2)
            .setMaxRetryDelayDuration(LONGEST_RETRY)
            .setInitialRpcTimeoutDuration(timeout)
            .setMaxRpcTimeoutDuration(timeout)
            .setTotalTimeoutDuration(timeout)
            .build();
    GrpcCallContext context =
        GrpcCallContext.createDefault().withRetrySettings(retries).withRetryableCodes(TRIED_AGAIN);
    CompletableFuture<A> answer = new CompletableFuture<>();
    CompletableFuture<PublisherStub> ready = stub();
    if (ready.isDone() && !ready.isCompletedExceptionally()) {
      call(ready, method, request, context, answer);
    } else {
      // The timeout also limits the search for credentials.
      var unused =
          ready
              .copy()
              .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
              .whenCompleteAsync(
                  (made, error) -> call(ready, method, request, context, answer), threads);
    }
    return answer;
  }

  private <Q, A> void call(
      CompletableFuture<PublisherStub> ready,
      Function<PublisherStub, UnaryCallable<Q, A>> method,
      Q request,
      GrpcCallContext context,
      CompletableFuture<A> answer) {
    try {
      ApiFutures.addCallback(
          method.apply(ready.get(0, TimeUnit.SECONDS)).futureCall(request, context),
          new ApiFutureCallback<A>() {
            @Override
            public void onSuccess(A result) {
              answer.complete(result);
            }

            @Override
            public void onFailure(Throwable error) {
              answer.completeExceptionally(error);
            }
          },
          threads);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.completeExceptionally(e);
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  /** The stub, once there is one; if none could be created, the next call tries again. */
  synchronized CompletableFuture<PublisherStub> stub() {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the publisher is closed"));
    }
    if (stub == null || stub.isCompletedExceptionally()) {
      stub = CompletableFuture.supplyAsync(this::newStub, threads);
    }
    return stub;
  }

  /** Creates a stub. Finding credentials may take seconds, and asks Google's servers. */
  private PublisherStub newStub() {
    PublisherStubSettings.Builder settings = PublisherStubSettings.newBuilder();
    settings
        .publishSettings()
        .setBatchingSettings(BatchingSettings.newBuilder().setIsEnabled(false).build());
    try {
      return GrpcPublisherStub.create(
          settings
              .setCredentialsProvider(credentials())
              .setBackgroundExecutorProvider(FixedExecutorProvider.create(timer))
              .setTransportChannelProvider(
                  connection
                      .channels(reconnects::watching)
                      .setExecutor(threads)
                      .setChannelPoolSettings(ChannelPoolSettings.staticallySized(CHANNELS))
                      .build())
              .build());
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  /** Finds the credentials now, so that a failure can be distinguished from others. */
  private CredentialsProvider credentials() {
    try {
      @Nullable Credentials found = connection.credentialsProvider().getCredentials();
      return found == null
          ? NoCredentialsProvider.create()
          : FixedCredentialsProvider.create(found);
    } catch (IOException | RuntimeException e) {
      throw new CompletionException(
          new IllegalStateException(
              "there are no credentials for %s; %s: %s"
                  .formatted(
                      connection, StatusClassifier.CREDENTIALS_ADVICE, StatusClassifier.text(e)),
              e));
    }
  }

  /** Ends all requests and threads. */
  @Override
  public void close() {
    @Nullable CompletableFuture<PublisherStub> last;
    synchronized (this) {
      closed = true;
      last = stub;
    }
    if (last != null) {
      var unused = last.thenAccept(PublishClient::end);
    }
    reconnects.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private static void end(PublisherStub stub) {
    stub.shutdownNow();
    try {
      stub.awaitTermination(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
