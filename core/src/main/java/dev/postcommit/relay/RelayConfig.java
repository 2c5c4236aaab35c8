package dev.postcommit.relay;

import dev.postcommit.Ordering;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A relay's settings.
 *
 * @param batchSize the most events claimed at once, from 1 to 10,000. Default 500
 * @param batchBytes the payload bytes after which a claim takes no more events, at least 1. Default
 *     2 MiB
 * @param batchesInFlight how many batches are worked on side by side, from 1 to 64. Default 4
 * @param pollInterval how often an idle relay looks for events; at most a third of the lease.
 *     Default 100 ms
 * @param lease how long a claim lasts unless renewed, and so how long the events of a killed relay
 *     wait; longer than the publisher's delivery timeout. Default 30 s
 * @param drainTimeout how long {@link Relay#close} waits for what is in flight. Default 10 s
 * @param ordering which events wait for which. Default per key
 * @param retryPolicy when failed events are tried again and given up. Default that of the layout
 * @param retryPolicies the policies of event types that differ; none allows more attempts than
 *     {@code retryPolicy}. Default none
 * @param namespace deliver only events of this namespace, or null for all. Default all
 * @param tenant deliver only events of this tenant, or null for all. Default all
 * @param giveUpAfter how long an event waits for a topic that is missing or forbidden before it
 *     becomes dead, at least one second; null for ever. Default null
 * @param retention how long delivered rows are kept before the relay deletes them, those of all
 *     namespaces and tenants; null for ever. Of several relays on a table, the shortest counts. It
 *     means nothing where the layout keeps no delivered rows. Default 30 days
 * @param standbys which standbys must have an event on disk before it is sent; null for none.
 *     Default null
 */
public record RelayConfig(
    int batchSize,
    long batchBytes,
    int batchesInFlight,
    Duration pollInterval,
    Duration lease,
    Duration drainTimeout,
    Ordering ordering,
    RetryPolicy retryPolicy,
    Map<String, RetryPolicy> retryPolicies,
    @Nullable String namespace,
    @Nullable UUID tenant,
    @Nullable Duration giveUpAfter,
    @Nullable Duration retention,
    @Nullable Standbys standbys) {

  /**
   * How many database connections a relay takes at most besides those for batches in flight: to
   * renew leases, to show itself, to let others see that it is alive, to prune, to read figures and
   * to watch standbys.
   */
  public static final int MORE_CONNECTIONS = 6;

  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

  /** Every default. */
  public static final RelayConfig DEFAULT =
      new RelayConfig(
          500,
          2L * 1024 * 1024,
          4,
          Duration.ofMillis(100),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Ordering.PER_KEY,
          RetryPolicy.DEFAULT,
          Map.of(),
          null,
          null,
          null,
          Duration.ofDays(30),
          null);

  /** Refuses values out of range or at odds with each other, naming them. */
  public RelayConfig {
    within("batchSize", batchSize, 1, 10_000);
    within("batchBytes", batchBytes, 1, Long.MAX_VALUE);
    within("batchesInFlight", batchesInFlight, 1, 64);
    positive("pollInterval", pollInterval);
    positive("lease", lease);
    if (drainTimeout.isNegative()) {
      throw new IllegalArgumentException("drainTimeout must not be negative, not " + drainTimeout);
    }
    if (giveUpAfter != null && giveUpAfter.compareTo(SHORTEST_WAIT) < 0) {
      throw new IllegalArgumentException("giveUpAfter must be at least 1 s, not " + giveUpAfter);
    }
    if (retention != null && retention.toMillis() < 1) {
      throw new IllegalArgumentException(
          "retention must be at least 1 ms, not %s; null keeps delivered rows for ever, and a layout that deletes on delivery keeps none"
              .formatted(retention));
    }
    if (pollInterval.multipliedBy(3).compareTo(lease) > 0) {
      throw new IllegalArgumentException(
          "pollInterval (%s) must be at most a third of lease (%s)".formatted(pollInterval, lease));
    }
    retryPolicies = Map.copyOf(retryPolicies);
    for (Map.Entry<String, RetryPolicy> entry : retryPolicies.entrySet()) {
      if (entry.getValue().maxAttempts() > retryPolicy.maxAttempts()) {
        throw new IllegalArgumentException(
            "the retry policy of type %s allows %d attempts, more than the %d of the relay's own"
                .formatted(
                    entry.getKey(), entry.getValue().maxAttempts(), retryPolicy.maxAttempts()));
      }
    }
  }

  /** When failed events of a type are tried again and given up. */
  public RetryPolicy retryPolicy(String type) {
    return retryPolicies.getOrDefault(type, retryPolicy);
  }

  /**
   * Refuses a publisher that may take longer than a claim lasts.
   *
   * @throws IllegalArgumentException with both values
   */
  void checkAgainst(Publisher publisher) {
    Duration timeout = publisher.deliveryTimeout();
    if (timeout.compareTo(lease) >= 0) {
      throw new IllegalArgumentException(
          ("the publisher's delivery timeout (%s) must be shorter than lease (%s), or another relay"
                  + " would send what this one is still sending")
              .formatted(timeout, lease));
    }
  }

  /**
   * Refuses a scope that the layout's table does not keep, or whose events cannot be told apart.
   *
   * @throws IllegalArgumentException naming it and the layout
   */
  void checkAgainst(Layout layout) {
    if (layout.isLog() && (namespace != null || tenant != null)) {
      throw new IllegalArgumentException(
          "%s is %s, but a table of the %s layout is read as a whole; leave it out"
              .formatted(
                  namespace == null ? "tenant" : "namespace",
                  namespace == null ? tenant : namespace,
                  layout.name()));
    }
    if (namespace != null && layout.column(Role.NAMESPACE).isEmpty()) {
      throw new IllegalArgumentException(
          "namespace is " + namespace + ", but the " + layout.name() + " layout keeps none");
    }
    if (tenant != null && layout.column(Role.TENANT).isEmpty()) {
      throw new IllegalArgumentException(
          "tenant is " + tenant + ", but the " + layout.name() + " layout keeps none");
    }
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d, not %d".formatted(name, least, most, value));
    }
  }

  private static void positive(String name, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(name + " must be at least 1 ms, not " + value);
    }
  }
}
