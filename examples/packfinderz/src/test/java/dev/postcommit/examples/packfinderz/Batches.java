package dev.postcommit.examples.packfinderz;

import dev.postcommit.testkit.pubsub.PubSubProxy;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;

/** Looks at the requests that publish, and lets them pass. */
final class Batches implements AutoCloseable {
  private final AtomicInteger largest = new AtomicInteger();
  private final PubSubProxy.Fault observer;

  Batches(PubSubProxy proxy) {
    observer =
        proxy.fail(
            request -> {
              largest.accumulateAndGet(request.getMessagesCount(), Math::max);
              return false;
            },
            Status.INTERNAL);
  }

  /** The most messages in one request. */
  int largest() {
    return largest.get();
  }

  @Override
  public void close() {
    observer.end();
  }
}
