package dev.postcommit.testkit.pubsub;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.pubsub.v1.PublishRequest;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A fault of a proxy: what it strikes, and how often it still may. */
final class ProxyFault implements PubSubProxy.Fault {

  final Status status;
  private final Predicate<byte[]> which;
  private final int times;
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean ended;

  ProxyFault(Predicate<byte[]> which, Status status, int times) {
    if (status.isOk()) {
      throw new IllegalArgumentException("the status of a fault is OK; give one of an error");
    }
    this.which = which;
    this.status = status;
    this.times = times;
  }

  static Predicate<byte[]> publishRequest(Predicate<PublishRequest> which) {
    return bytes -> {
      try {
        return which.test(PublishRequest.parseFrom(bytes));
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalArgumentException("not a publish request", e);
      }
    };
  }

  /** Whether it goes wrong for {@code request}, which is counted then. */
  boolean strikes(byte[] request) {
    return !ended
        && which.test(request)
        && count.getAndUpdate(before -> before < times ? before + 1 : before) < times;
  }

  @Override
  public int count() {
    return count.get();
  }

  @Override
  public void end() {
    ended = true;
  }
}
