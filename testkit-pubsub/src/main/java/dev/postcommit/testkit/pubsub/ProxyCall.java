package dev.postcommit.testkit.pubsub;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * One call that a proxy passes on, in both directions, as fast as the slower side takes it.
 *
 * <p>Deadline and cancellation need no passing on: the call to the service begins in the context of
 * the client's call, and ends with it.
 */
final class ProxyCall {

  private final ServerCall<byte[], byte[]> client;
  private final ClientCall<byte[], byte[]> service;
  private final String method;
  private final ProxyFaults losses;

  /** A message of the client is asked for once the service takes it. */
  private boolean serviceIsBehind;

  /** A message of the service is asked for once the client takes it. */
  private boolean clientIsBehind;

  private ProxyCall(ServerCall<byte[], byte[]> client, Channel upstream, ProxyFaults losses) {
    this.client = client;
    this.service = upstream.newCall(client.getMethodDescriptor(), CallOptions.DEFAULT);
    this.method = client.getMethodDescriptor().getFullMethodName();
    this.losses = losses;
  }

  /** Passes on messages as they come. */
  static ServerCall.Listener<byte[]> streaming(
      ServerCall<byte[], byte[]> client, Metadata headers, Channel upstream, ProxyFaults failures) {
    ProxyCall call = new ProxyCall(client, upstream, new ProxyFaults());
    Status failure = failures.strike(call.method, new byte[0]);
    if (failure != null) {
      client.close(failure, new Metadata());
      return new ServerCall.Listener<>() {};
    }
    call.start(headers, null);
    client.request(1);
    return call.new FromClient();
  }

  /** Looks at the request, then passes it on; looks at it again when it is answered. */
  static ServerCall.Listener<byte[]> unary(
      ServerCall<byte[], byte[]> client,
      Metadata headers,
      Channel upstream,
      ProxyFaults failures,
      ProxyFaults losses) {
    ProxyCall call = new ProxyCall(client, upstream, losses);
    client.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] request) {
        Status failure = failures.strike(call.method, request);
        if (failure != null) {
          client.close(failure, new Metadata());
          return;
        }
        call.start(headers, request);
        call.service.sendMessage(request);
        call.service.halfClose();
      }
    };
  }

  private void start(Metadata headers, byte @Nullable [] request) {
    service.start(request == null ? new FromService() : new AnswerOfService(request), headers);
    service.request(1);
  }

  private synchronized void serviceTook() {
    if (service.isReady()) {
      client.request(1);
    } else {
      serviceIsBehind = true;
    }
  }

  private synchronized void serviceReady() {
    if (serviceIsBehind) {
      serviceIsBehind = false;
      client.request(1);
    }
  }

  private synchronized void clientTook() {
    if (client.isReady()) {
      service.request(1);
    } else {
      clientIsBehind = true;
    }
  }

  private synchronized void clientReady() {
    if (clientIsBehind) {
      clientIsBehind = false;
      service.request(1);
    }
  }

  private final class FromClient extends ServerCall.Listener<byte[]> {

    @Override
    public void onMessage(byte[] message) {
      service.sendMessage(message);
      serviceTook();
    }

    @Override
    public void onHalfClose() {
      service.halfClose();
    }

    @Override
    public void onCancel() {
      service.cancel("The client is gone", null);
    }

    @Override
    public void onReady() {
      clientReady();
    }
  }

  private class FromService extends ClientCall.Listener<byte[]> {

    @Override
    public void onHeaders(Metadata headers) {
      client.sendHeaders(headers);
    }

    @Override
    public void onMessage(byte[] message) {
      client.sendMessage(message);
      clientTook();
    }

    @Override
    public void onReady() {
      serviceReady();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      client.close(status, trailers);
    }
  }

  /** Keeps the one answer until it is known whether it gets lost. */
  private final class AnswerOfService extends FromService {

    private final byte[] request;
    private byte @Nullable [] answer;

    AnswerOfService(byte[] request) {
      this.request = request;
    }

    @Override
    public void onMessage(byte[] message) {
      answer = message;
      service.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      Status lost = status.isOk() ? losses.strike(method, request) : null;
      if (lost != null) {
        client.close(lost, new Metadata());
        return;
      }
      if (answer != null) {
        client.sendMessage(answer);
      }
      client.close(status, trailers);
    }
  }
}
