package dev.postcommit.testkit.pubsub;

import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The faults of one kind of a proxy, by the full name of the method. */
final class ProxyFaults {

  private final Map<String, List<ProxyFault>> faults = new ConcurrentHashMap<>();

  ProxyFault add(String method, Predicate<byte[]> which, Status status, int times) {
    ProxyFault fault = new ProxyFault(which, status, times);
    faults.computeIfAbsent(method, name -> new CopyOnWriteArrayList<>()).add(fault);
    return fault;
  }

  /** What goes wrong for a request; null if nothing does. */
  @Nullable Status strike(String method, byte[] request) {
    for (ProxyFault fault : faults.getOrDefault(method, List.of())) {
      if (fault.strikes(request)) {
        return fault.status;
      }
    }
    return null;
  }
}
