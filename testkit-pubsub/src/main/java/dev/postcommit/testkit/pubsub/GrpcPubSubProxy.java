package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import dev.postcommit.testkit.fault.TcpRelay;
import dev.postcommit.testkit.process.Ports;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy of two parts: a relay of connections, which clients reach and which can be cut or frozen,
 * and behind it a server that passes on calls of any method without knowing what is in them.
 */
final class GrpcPubSubProxy implements PubSubProxy {

  private static final String PUBLISH = PublisherGrpc.getPublishMethod().getFullMethodName();

  private final int port = Ports.free();
  private final ProxyFaults failures = new ProxyFaults();
  private final ProxyFaults losses = new ProxyFaults();
  private final ManagedChannel upstream;
  private final Server server;
  private final TcpRelay relay;

  GrpcPubSubProxy(String target) {
    upstream = PubSubChannels.open(target);
    server =
        NettyServerBuilder.forAddress(PubSubChannels.address(0))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .fallbackHandlerRegistry(new AnyMethod())
            .build();
    try {
      server.start();
    } catch (IOException e) {
      PubSubChannels.close(upstream);
      throw new UncheckedIOException("Could not start the proxy", e);
    }
    relay = new TcpRelay(port, server.getPort());
    try {
      relay.open();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public String emulatorHost() {
    return Ports.HOST + ":" + port;
  }

  @Override
  public void stop() {
    relay.close();
  }

  @Override
  public void restart() {
    relay.close();
    relay.open();
  }

  @Override
  public void freeze() {
    relay.freeze();
  }

  @Override
  public void thaw() {
    relay.thaw();
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
    relay.close();
    PubSubChannels.close(server);
    PubSubChannels.close(upstream);
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
