package dev.postcommit.pubsub.internal;

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
 * Makes channels that lost their server reconnect soon. By itself a channel waits longer and longer
 * between attempts, up to two minutes, and prolongs the outage for its users by as much.
 */
public final class ChannelReconnects implements AutoCloseable {
  private final Duration longestWait;
  private final ScheduledExecutorService timer;

  /**
   * Watches no channel yet.
   *
   * @param name the name of the thread that watches
   * @param longestWait how long a channel may wait before it tries again
   */
  public ChannelReconnects(String name, Duration longestWait) {
    this.longestWait = longestWait;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1, Daemons.named(name), new ThreadPoolExecutor.DiscardPolicy());
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.timer = executor;
  }

  /** A builder whose channels are watched. */
  public ManagedChannelBuilder<?> watching(ManagedChannelBuilder<?> builder) {
    return new Watching(builder);
  }

  /** Polls: a channel that keeps failing to connect does not change its state. */
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
