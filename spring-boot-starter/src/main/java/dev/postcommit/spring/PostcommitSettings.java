package dev.postcommit.spring;

import dev.postcommit.Ordering;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All settings, by the names that the server has for them too; a name that is not known is refused.
 *
 * @param dataSource The bean name of the data source with the outbox table. Required if there are
 *     several and none is primary.
 * @param migrate Whether the outbox table is made, or brought up to date, when the application
 *     starts; needs postcommit-flyway.
 * @param relay Whether a relay runs in this application.
 * @param table The outbox table; unless given, postcommit_outbox (native), postcommit_log (log),
 *     modkit_outbox_events (modkit) or outbox_events (the other layouts).
 * @param layout The shape of the outbox table.
 * @param layoutFile A file that describes a table of your own, its name included, in place of
 *     layout and table.
 * @param onDelivery Whether delivered rows are kept for the retention time or deleted at once. Rows
 *     of a log are kept.
 * @param deadRows In the polyshop layout, or another with a processed flag: whether dead rows stay
 *     unprocessed or are marked processed. Unless given, as the layout says; polyshop keeps them.
 * @param envelope How an event becomes a message. Unless given, as the layout has it: logistik
 *     message-id, packfinderz stored, polyshop built, the others raw.
 * @param source Where the events come from: the service's name for the built envelope, a URI such
 *     as /orders for CloudEvents. Required by these envelopes.
 * @param route The topic of an event: recorded, type, namespaced, fixed:&lt;topic&gt;,
 *     template:&lt;text&gt; or registry. Unless given, as the layout has it: packfinderz
 *     fixed:pf-domain-events, polyshop type, the others recorded.
 * @param registryFile A file that declares the event types; events that break its contracts are
 *     dead at once. It can also say their topics (route registry) and their retries.
 * @param broker The broker that events go to; needed if both are configured.
 * @param kafka Where Kafka is.
 * @param pubsub Where Pub/Sub is.
 * @param batchSize The most events claimed at once, up to 10000. With the packfinderz layout 50
 *     unless given.
 * @param batchBytes The payload bytes after which a claim takes no more events.
 * @param batchesInFlight How many batches are worked on side by side, up to 64. The relay takes up
 *     to 6 database connections more than that.
 * @param pollInterval How often an idle relay looks for events; at most a third of the lease. With
 *     the packfinderz layout 500ms unless given.
 * @param lease How long a claim lasts unless renewed, and so how long the events of a killed relay
 *     wait.
 * @param drainTimeout How long stopping waits for what is in flight.
 * @param ordering Whether events of one key wait for each other.
 * @param maxAttempts Deliveries of one event, the first included, before it is dead, or unlimited.
 *     Unless given, as the layout says: native and log 20, packfinderz 25, logistik 5, polyshop
 *     unlimited; for modkit it must be given.
 * @param retryBaseDelay The delay after an event's first failure; it doubles with each further one.
 *     Unless given, as the layout says: packfinderz 500ms, the others 1s.
 * @param retryMaxDelay The longest delay between two attempts. Unless given, as the layout says:
 *     packfinderz 10s, the others 5m.
 * @param giveUpAfter How long events wait for a topic that is missing or forbidden before they are
 *     dead, at least 1s; 'off' lets them wait without limit.
 * @param namespace Deliver only events of this namespace; all unless given. Not with a log.
 * @param tenant Deliver only events of this tenant; all unless given. Not with a log.
 * @param retention How long the relay keeps delivered rows; 'off' or 0 keeps them for ever.
 * @param waitForStandbys How many of the standbys in standby-names must have an event on disk
 *     before it is sent, so that a failover to one of them leaves no event without its row; 0 waits
 *     for none. Needs pg_read_all_stats.
 * @param standbyNames The physical standbys that wait-for-standbys counts, by the application_name
 *     of their connections to the primary. Required with wait-for-standbys.
 */
@ConfigurationProperties(prefix = "postcommit", ignoreUnknownFields = false)
record PostcommitSettings(
    @Nullable String dataSource,
    @DefaultValue("false") boolean migrate,
    @DefaultValue Relay relay,
    @Nullable String table,
    @DefaultValue("native") LayoutName layout,
    @Nullable String layoutFile,
    @DefaultValue("keep") OnDelivery onDelivery,
    @Nullable DeadRows deadRows,
    @Nullable EnvelopeName envelope,
    @Nullable String source,
    @Nullable String route,
    @Nullable String registryFile,
    @Nullable BrokerName broker,
    @DefaultValue Kafka kafka,
    @DefaultValue Pubsub pubsub,
    @DefaultValue("500") int batchSize,
    @DefaultValue("2MiB") String batchBytes,
    @DefaultValue("4") int batchesInFlight,
    @DefaultValue("100ms") Duration pollInterval,
    @DefaultValue("30s") Duration lease,
    @DefaultValue("10s") Duration drainTimeout,
    @DefaultValue("per-key") Ordering ordering,
    @Nullable String maxAttempts,
    @Nullable Duration retryBaseDelay,
    @Nullable Duration retryMaxDelay,
    @DefaultValue("off") String giveUpAfter,
    @Nullable String namespace,
    @Nullable UUID tenant,
    @DefaultValue("30d") String retention,
    @DefaultValue("0") int waitForStandbys,
    @DefaultValue List<String> standbyNames) {

  /** What every name begins with. */
  static final String PREFIX = "postcommit.";

  /** The layouts that can be chosen by name. */
  enum LayoutName {
    NATIVE,
    LOG,
    MODKIT,
    LOGISTIK,
    PACKFINDERZ,
    POLYSHOP
  }

  /** What becomes of dead rows in a table that has a flag for processed ones. */
  enum DeadRows {
    KEEP,
    MARK_PROCESSED
  }

  /** The envelopes that can be chosen by name. */
  enum EnvelopeName {
    RAW,
    MESSAGE_ID,
    BUILT,
    STORED,
    CLOUDEVENTS_BINARY,
    CLOUDEVENTS_STRUCTURED
  }

  /** The brokers that can be chosen by name. */
  enum BrokerName {
    KAFKA,
    PUBSUB
  }

  /**
   * Whether there is a relay.
   *
   * @param enabled Whether a relay runs in this application; one does if there is a Publisher,
   *     unless this is false.
   */
  record Relay(@DefaultValue("true") boolean enabled) {}

  /**
   * Where Kafka is.
   *
   * @param bootstrapServers The Kafka brokers to start from; unless given, those of spring.kafka.
   * @param config Properties of Kafka's clients, over those of spring.kafka.
   * @param transactionalId Delivers the events of a log to Kafka exactly once, in transactions of
   *     this name. All relays of the table have the same, and nobody else has it. Off unless given;
   *     not with another layout or broker.
   */
  record Kafka(
      @Nullable String bootstrapServers,
      @DefaultValue Map<String, String> config,
      @Nullable String transactionalId) {}

  /**
   * Where Pub/Sub is.
   *
   * @param project The Google Cloud project that the topics belong to; unless given, that of
   *     spring.cloud.gcp.
   * @param endpoint The endpoint of a region, as europe-west1-pubsub.googleapis.com:443, which
   *     keeps the order of keys if publishers run in several regions. Unless given, Google chooses.
   * @param deliveryTimeout How long the relay tries to send an event to Pub/Sub before the attempt
   *     has failed.
   */
  record Pubsub(
      @Nullable String project,
      @Nullable String endpoint,
      @DefaultValue("20s") Duration deliveryTimeout) {}
}
