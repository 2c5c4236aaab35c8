package dev.postcommit.pubsub.consumer;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Watches the streams through which a subscriber pulls, because it replaces broken ones silently.
 *
 * <p>A new stream waits for its connection. If it failed at once instead, as calls do, the client
 * would wait longer and longer before the next, up to ten seconds, and so would messages after an
 * outage.
 */
final class StreamWatch implements ClientInterceptor {
  private int open;
  private boolean broken;

  /** Whether a stream has ended since the last call. */
  synchronized boolean takeBroken() {
    boolean taken = broken;
    broken = false;
    return taken;
  }

  /** Waits until no stream is open. */
  synchronized boolean awaitNone(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (open > 0) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  private synchronized void opened() {
    open++;
  }

  private synchronized void closed() {
    open--;
    broken = true;
    notifyAll();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return method.getType() == MethodType.BIDI_STREAMING
        ? new Watched<>(next.newCall(method, options.withWaitForReady()))
        : next.newCall(method, options);
  }

  private final class Watched<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final AtomicBoolean over = new AtomicBoolean();

    Watched(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      opened();
      super.start(
          new SimpleForwardingClientCallListener<A>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              end();
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    /** The listener may hear of it much later, because it waits while enough is pulled. */
    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      super.cancel(message, cause);
      end();
    }

    private void end() {
      if (over.compareAndSet(false, true)) {
        closed();
      }
    }
  }
}
