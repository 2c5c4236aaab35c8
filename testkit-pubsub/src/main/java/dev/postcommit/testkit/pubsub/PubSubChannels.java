package dev.postcommit.testkit.pubsub;

import dev.postcommit.testkit.process.Ports;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Connections to a Pub/Sub service that is no secret. */
final class PubSubChannels {

  private PubSubChannels() {}

  /** Where a server with that port is to listen. */
  static InetSocketAddress address(int port) {
    try {
      return new InetSocketAddress(Ports.address(), port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ManagedChannel open(String emulatorHost) {
    return NettyChannelBuilder.forTarget(emulatorHost)
        .usePlaintext()
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .build();
  }

  /** Ends its calls and waits until they are. */
  static void close(ManagedChannel channel) {
    channel.shutdownNow();
    try {
      channel.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends its calls and returns when its port is free. */
  static void close(Server server) {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
