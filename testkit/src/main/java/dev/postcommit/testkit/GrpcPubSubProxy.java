package dev.postcommit.testkit;

import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that passes on the calls of any method without knowing what is in them.
 *
 * <p>Everything that comes from a client or from the service is a task of one gate, in order for
 * each call: a freeze shuts the gate.
 */
final class GrpcPubSubProxy implements PubSubProxy {

  private static final String PUBLISH = PublisherGrpc.getPublishMethod().getFullMethodName();

  private final int port = Ports.free();
  private final ExecutorService threads;
  private final Gate gate;
  private final ManagedChannel upstream;
  private final ProxyFaults failures = new ProxyFaults();
  private final ProxyFaults losses = new ProxyFaults();
  private @Nullable Server server;

  GrpcPubSubProxy(String target) {
    threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "pubsub-proxy");
              thread.setDaemon(true);
              return thread;
            });
    gate = new Gate(threads);
    upstream =
        NettyChannelBuilder.forTarget(target)
            .usePlaintext()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .executor(gate)
            .build();
    try {
      restart();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public String emulatorHost() {
    return Ports.HOST + ":" + port;
  }

  @Override
  public synchronized void stop() {
    if (server == null) {
      return;
    }
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server = null;
  }

  @Override
  public synchronized void restart() {
    stop();
    Server started =
        NettyServerBuilder.forAddress(PubSubChannels.address(port))
            .executor(gate)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .fallbackHandlerRegistry(new AnyMethod())
            .build();
    try {
      started.start();
    } catch (IOException e) {
      throw new UncheckedIOException("Could not listen on " + emulatorHost(), e);
    }
    server = started;
  }

  @Override
  public void freeze() {
    gate.shut();
  }

  @Override
  public void thaw() {
    gate.open();
  }

  @Override
  public Fault fail(Predicate<PublishRequest> which, Status status, int times) {
    return failures.add(PUBLISH, ProxyFault.publishRequest(which), status, times);
  }

  @Override
  public Fault fail(String method, Status status, int times) {
    return failures.add(method, request -> true, status, times);
  }

  @Override
  public Fault loseAnswers(Predicate<PublishRequest> which, Status status, int times) {
    return losses.add(PUBLISH, ProxyFault.publishRequest(which), status, times);
  }

  @Override
  public void close() {
    stop();
    gate.open();
    PubSubChannels.close(upstream);
    threads.shutdown();
  }

  /** Every method there is, as one of bytes. */
  private final class AnyMethod extends HandlerRegistry {

    @Override
    public ServerMethodDefinition<byte[], byte[]> lookupMethod(
        String method, @Nullable String authority) {
      MethodDescriptor<byte[], byte[]> descriptor =
          MethodDescriptor.newBuilder(Bytes.MARSHALLER, Bytes.MARSHALLER)
              .setFullMethodName(method)
              .setType(MethodType.UNKNOWN)
              .build();
      return ServerMethodDefinition.create(
          descriptor,
          (call, headers) ->
              method.equals(PUBLISH)
                  ? ProxyCall.unary(call, headers, upstream, failures, losses)
                  : ProxyCall.streaming(call, headers, upstream, failures));
    }
  }
}
