package dev.postcommit.store;

import dev.postcommit.Ordering;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What to claim.
 *
 * @param batchSize the most events to take
 * @param batchBytes stop taking once the payloads taken reach this size; one event is always taken,
 *     however large
 * @param lease how long the events are the claimant's
 * @param maxAttempts events that were tried this often become dead instead of being taken
 * @param ordering whether events wait for earlier ones of their key
 * @param namespace take only events of this namespace, or null for all
 * @param tenant take only events of this tenant, or null for all
 */
public record ClaimRequest(
    int batchSize,
    long batchBytes,
    Duration lease,
    int maxAttempts,
    Ordering ordering,
    @Nullable String namespace,
    @Nullable UUID tenant) {

  /** Refuses sizes and times below one. */
  public ClaimRequest {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be at least 1, not " + batchSize);
    }
    if (batchBytes < 1) {
      throw new IllegalArgumentException("batchBytes must be at least 1, not " + batchBytes);
    }
    if (lease.toMillis() < 1) {
      throw new IllegalArgumentException("lease must be at least 1 ms, not " + lease);
    }
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be at least 1, not " + maxAttempts);
    }
  }

  /** A request for up to {@code batchSize} events in order, of any namespace and tenant. */
  public static ClaimRequest of(int batchSize, Duration lease, int maxAttempts) {
    return new ClaimRequest(
        batchSize, Long.MAX_VALUE, lease, maxAttempts, Ordering.PER_KEY, null, null);
  }

  /** This request with another ordering. */
  public ClaimRequest withOrdering(Ordering other) {
    return new ClaimRequest(batchSize, batchBytes, lease, maxAttempts, other, namespace, tenant);
  }

  /** This request, for up to another number of events. */
  public ClaimRequest withBatchSize(int events) {
    return new ClaimRequest(events, batchBytes, lease, maxAttempts, ordering, namespace, tenant);
  }

  /** This request, stopping at another size. */
  public ClaimRequest withBatchBytes(long bytes) {
    return new ClaimRequest(batchSize, bytes, lease, maxAttempts, ordering, namespace, tenant);
  }

  /** Whether only events of one namespace or tenant are to be taken. */
  public boolean isScoped() {
    return namespace != null || tenant != null;
  }

  /** This request, narrowed to a namespace and a tenant; null leaves either open. */
  public ClaimRequest scopedTo(@Nullable String toNamespace, @Nullable UUID toTenant) {
    return new ClaimRequest(
        batchSize, batchBytes, lease, maxAttempts, ordering, toNamespace, toTenant);
  }
}
