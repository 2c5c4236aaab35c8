package dev.postcommit.pubsub;

import dev.postcommit.support.Daemons;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingChannelBuilder2;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Has channels that lost their server connect again soon. By itself a channel waits longer and
 * longer between two tries, in the end two minutes, and the outage lasts that much longer for
 * whoever uses it.
 */
final class Reconnects implements AutoCloseable {
  private final Duration longestWait;
  private final ScheduledExecutorService timer;

  /**
   * Watches no channel yet.
   *
   * @param name the name of the thread that watches
   * @param longestWait how long a channel may wait before it tries again
   */
  Reconnects(String name, Duration longestWait) {
    this.longestWait = longestWait;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1, Daemons.named(name), new ThreadPoolExecutor.DiscardPolicy());
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.timer = executor;
  }

  /** The same builder, of which the channels are watched. */
  ManagedChannelBuilder<?> watching(ManagedChannelBuilder<?> builder) {
    return new Watching(builder);
  }

  /** Looks now and then: a channel that fails to connect again and again shows no other state. */
  private void watch(ManagedChannel channel) {
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
    var unused =
        timer.schedule(() -> watch(channel), longestWait.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private final class Watching extends ForwardingChannelBuilder2<Watching> {
    private final ManagedChannelBuilder<?> builder;

    Watching(ManagedChannelBuilder<?> builder) {
      this.builder = builder;
    }

    @Override
    protected ManagedChannelBuilder<?> delegate() {
      return builder;
    }

    @Override
    public ManagedChannel build() {
      ManagedChannel channel = super.build();
      watch(channel);
      return channel;
    }
  }
}
