package dev.postcommit.settings;

import static dev.postcommit.settings.Setting.Group.RELAY;

import dev.postcommit.Ordering;
import dev.postcommit.RetryPolicy;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The settings of how a relay works. */
public final class RelaySettings {
  private static final RelayConfig DEFAULT = RelayConfig.DEFAULT;
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  public static final Setting<Integer> BATCH_SIZE =
      RELAY.setting(
          "batch-size",
          "n",
          Integer.toString(DEFAULT.batchSize()),
          Readers.integer(1, 10_000),
          "The most events claimed at once, up to 10000. The packfinderz layout uses 50 unless set.");

  public static final Setting<Long> BATCH_BYTES =
      RELAY.setting(
          "batch-bytes",
          "n",
          DEFAULT.batchBytes() / (1 << 20) + "MiB",
          Readers.bytes(),
          "The payload bytes after which a claim takes no more events.");

  public static final Setting<Integer> BATCHES_IN_FLIGHT =
      RELAY.setting(
          "batches-in-flight",
          "n",
          Integer.toString(DEFAULT.batchesInFlight()),
          Readers.integer(1, 64),
          "How many batches are processed in parallel, up to 64. The relay uses up to %d more database connections than that."
              .formatted(RelayConfig.MORE_CONNECTIONS));

  public static final Setting<Duration> POLL_INTERVAL =
      RELAY.setting(
          "poll-interval",
          "time",
          DurationText.show(DEFAULT.pollInterval()),
          Readers.duration(MILLISECOND),
          "How often an idle relay polls; at most a third of the lease. The packfinderz layout uses 500ms unless set.");

  public static final Setting<Duration> LEASE =
      RELAY.setting(
          "lease",
          "time",
          DurationText.show(DEFAULT.lease()),
          Readers.duration(MILLISECOND),
          "How long a claim lasts unless renewed, and so the longest time that the events of a"
              + " killed relay wait.");

  public static final Setting<Duration> DRAIN_TIMEOUT =
      RELAY.setting(
          "drain-timeout",
          "time",
          DurationText.show(DEFAULT.drainTimeout()),
          Readers.duration(Duration.ZERO),
          "How long a stopping relay waits for events in flight; in a Spring application, also how"
              + " long a stopping consumer waits for its handlers.");

  public static final Setting<Ordering> ORDERING =
      RELAY.setting(
          "ordering",
          "per-key|none",
          Setting.word(DEFAULT.ordering()),
          Readers.choice(Ordering.class),
          "Whether events with the same key wait for each other.");

  public static final Setting<Integer> MAX_ATTEMPTS =
      RELAY.setting(
          "max-attempts",
          "n|unlimited",
          Readers.attempts(),
          "How many times an event is sent, including the first, before it is dead. Default: native"
              + " and log 20, packfinderz 25, logistik 5, polyshop unlimited. Required for modkit.");

  public static final Setting<Duration> RETRY_BASE_DELAY =
      RELAY.setting(
          "retry-base-delay",
          "time",
          Readers.duration(MILLISECOND),
          "The delay after an event's first failure; it doubles with each further one. Default:"
              + " packfinderz 500ms, the other layouts 1s.");

  public static final Setting<Duration> RETRY_MAX_DELAY =
      RELAY.setting(
          "retry-max-delay",
          "time",
          Readers.duration(MILLISECOND),
          "The longest delay between two attempts. Default: packfinderz 10s, the other layouts 5m.");

  public static final Setting<Duration> GIVE_UP_AFTER =
      RELAY.setting(
          "give-up-after",
          "time|off",
          "off",
          Readers.durationOrOff(Duration.ofSeconds(1)),
          "How long events wait for a topic that is missing or forbidden before they are dead,"
              + " at least 1s; 'off' lets them wait without limit.");

  public static final Setting<String> NAMESPACE =
      RELAY.setting(
          "namespace",
          "name",
          Readers.text(),
          "Deliver only events of this namespace. Default: all. Not for the log layout.");

  public static final Setting<UUID> TENANT =
      RELAY.setting(
          "tenant",
          "uuid",
          Readers.uuid(),
          "Deliver only events of this tenant. Default: all. Not for the log layout.");

  public static final Setting<Duration> RETENTION =
      RELAY.setting(
          "retention",
          "time|off",
          "30d",
          Readers.durationOrOff(),
          "How long delivered rows are kept before the relay deletes them; 'off' or 0 keeps them"
              + " for ever.");

  public static final Setting<Integer> WAIT_FOR_STANDBYS =
      RELAY.setting(
          "wait-for-standbys",
          "n",
          "0",
          Readers.integer(0, 100),
          "How many of the standbys in standby-names must have an event on disk before it is"
              + " sent, so that a failover to one of them leaves no event without its row; 0"
              + " waits for none. Needs pg_read_all_stats; see docs/failover.md.");

  public static final Setting<List<String>> STANDBY_NAMES =
      RELAY.setting(
          "standby-names",
          "name,…",
          Readers.standbys(),
          "The physical standbys that wait-for-standbys counts, by the application_name of their"
              + " connections to the primary. Required with wait-for-standbys.");

  static final List<Setting<?>> ALL =
      List.of(
          BATCH_SIZE,
          BATCH_BYTES,
          BATCHES_IN_FLIGHT,
          POLL_INTERVAL,
          LEASE,
          DRAIN_TIMEOUT,
          ORDERING,
          MAX_ATTEMPTS,
          RETRY_BASE_DELAY,
          RETRY_MAX_DELAY,
          GIVE_UP_AFTER,
          NAMESPACE,
          TENANT,
          RETENTION,
          WAIT_FOR_STANDBYS,
          STANDBY_NAMES);

  private RelaySettings() {}

  /** A limit of attempts as it is written in a setting. */
  public static String attempts(int limit) {
    return limit == RetryPolicy.UNLIMITED ? "unlimited" : Integer.toString(limit);
  }
}
