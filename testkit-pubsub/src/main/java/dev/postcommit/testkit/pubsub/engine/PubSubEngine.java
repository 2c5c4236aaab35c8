package dev.postcommit.testkit.pubsub.engine;

import dev.postcommit.support.Daemons;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A Pub/Sub service that listens on one address and keeps everything in memory. */
public final class PubSubEngine implements AutoCloseable {

  /** Kept, since a logger that nobody holds on to would forget its level. */
  private static final Logger CONNECTIONS =
      Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler");

  static {
    // Clients that are killed are what tests are about, and no reason for a stack trace.
    CONNECTIONS.setLevel(Level.SEVERE);
  }

  private final Server server;
  private final ScheduledThreadPoolExecutor timer;

  private PubSubEngine(Server server, ScheduledThreadPoolExecutor timer) {
    this.server = server;
    this.timer = timer;
  }

  /**
   * Starts a service.
   *
   * @throws UncheckedIOException if the address is taken
   */
  public static PubSubEngine start(InetSocketAddress address) {
    ScheduledThreadPoolExecutor timer = timer();
    Resources resources = new Resources(timer);
    Server server =
        NettyServerBuilder.forAddress(address)
            // No call ever waits, so none needs a thread of its own.
            .directExecutor()
            // Requests that are too large are refused by the service, with its own words.
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(new PublisherService(resources))
            .addService(new SubscriberService(resources))
            .build();
    try {
      server.start();
    } catch (IOException e) {
      timer.shutdownNow();
      throw new UncheckedIOException("Could not listen on " + address, e);
    }
    return new PubSubEngine(server, timer);
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, Daemons.named("pubsub-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  /** Breaks all connections, forgets everything and returns when the port is free. */
  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
  }
}
