package dev.postcommit.pubsub;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests in flight; further chains wait in order of arrival. An overloaded server
 * would let all requests time out, while the timeout of a request that waits here has not begun.
 *
 * <p>A chain leaves the queue in one of three ways, by one thread: it may send, its time is over,
 * or Pub/Sub does not answer.
 */
final class RequestLimiter {
  /**
   * The most requests in flight, which is what Google's servers take on one connection. More are
   * not faster, and overwhelm small servers.
   */
  private static final int LIMIT = 100;

  /** How often waiting chains are checked for those whose time is over. */
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  private final PublishClient client;
  private final Deque<PublishChain> waiting = new ArrayDeque<>();
  private int free = LIMIT;
  private boolean checking;

  RequestLimiter(PublishClient client) {
    this.client = client;
  }

  /** Lets the chain send its next request, now or later, unless its time is over before. */
  void acquire(PublishChain chain) {
    synchronized (this) {
      if (free == 0) {
        waiting.add(chain);
        if (!checking) {
          checking = true;
          client.later(this::removeLate, CHECK_INTERVAL);
        }
        return;
      }
      free--;
    }
    chain.send();
  }

  /** A request has been answered. */
  void release() {
    List<PublishChain> late = new ArrayList<>();
    @Nullable PublishChain next;
    synchronized (this) {
      next = waiting.poll();
      while (next != null && !next.hasTime()) {
        late.add(next);
        next = waiting.poll();
      }
      if (next == null) {
        free++;
      }
    }
    if (next != null) {
      next.send();
    }
    late.forEach(PublishChain::late);
  }

  private void removeLate() {
    List<PublishChain> late = new ArrayList<>();
    synchronized (this) {
      waiting.removeIf(chain -> !chain.hasTime() && late.add(chain));
      checking = !waiting.isEmpty();
      if (checking) {
        client.later(this::removeLate, CHECK_INTERVAL);
      }
    }
    late.forEach(PublishChain::late);
  }

  /** Ends all that wait, as Pub/Sub does not answer. */
  void refuse(String reason, Throwable error) {
    List<PublishChain> refused;
    synchronized (this) {
      refused = new ArrayList<>(waiting);
      waiting.clear();
    }
    refused.forEach(chain -> chain.unavailable(reason, error));
  }
}
