package dev.postcommit.pubsub;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a limited number of requests be under way; whoever comes then waits, and gets its turn in
 * the order of coming. A server that has too much to do at once would let all of it run out of
 * time; and the time of a request that waits here does not run yet.
 *
 * <p>A chain leaves the queue in one of three ways, and by one thread: it gets its turn, its time
 * is over, or Pub/Sub is found not to answer.
 */
final class PublishTurns {
  /**
   * How many requests are under way at most; what servers of Google's take on one connection. More
   * make nothing faster, and overwhelm small servers.
   */
  private static final int LIMIT = 100;

  /** How often those that wait are looked through for some whose time is over. */
  private static final Duration LOOK_THROUGH = Duration.ofMillis(200);

  private final PublishClient client;
  private final Deque<PublishChain> waiting = new ArrayDeque<>();
  private int free = LIMIT;
  private boolean looking;

  PublishTurns(PublishClient client) {
    this.client = client;
  }

  /** Has the chain send its next request, now or later, unless its time is over before. */
  void take(PublishChain chain) {
    synchronized (this) {
      if (free == 0) {
        waiting.add(chain);
        if (!looking) {
          looking = true;
          client.later(this::lookThrough, LOOK_THROUGH);
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

  private void lookThrough() {
    List<PublishChain> late = new ArrayList<>();
    synchronized (this) {
      waiting.removeIf(chain -> !chain.hasTime() && late.add(chain));
      looking = !waiting.isEmpty();
      if (looking) {
        client.later(this::lookThrough, LOOK_THROUGH);
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
