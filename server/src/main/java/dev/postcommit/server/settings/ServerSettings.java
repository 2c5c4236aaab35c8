package dev.postcommit.server.settings;

import dev.postcommit.Ordering;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.Setting.Group;
import dev.postcommit.server.settings.Setting.Traits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The settings of a relay, and lists of all there are. */
public final class ServerSettings {
  private static final RelayConfig RELAY = RelayConfig.DEFAULT;
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  /** What becomes of dead rows in a table that has a flag for processed ones. */
  public enum DeadRows {
    /** They stay unprocessed. */
    KEEP,
    /** They are flagged as if they were delivered. */
    MARK_PROCESSED
  }

  /** Where the table is. */
  public static final Setting<String> DATABASE_URL =
      Setting.of(
              Group.DATABASE,
              "database-url",
              "url",
              null,
              Readers.jdbcUrl(),
              "The database of the outbox table, as jdbc:postgresql://host:5432/database. Required.")
          .with(Traits.SECRET);

  /** Who reads the table. */
  public static final Setting<String> DATABASE_USER =
      Setting.of(
          Group.DATABASE,
          "database-user",
          "name",
          null,
          Readers.text(),
          "The database user; unless given, what the url says or the name you are logged in with.");

  /** The user's password. */
  public static final Setting<String> DATABASE_PASSWORD =
      Setting.of(
              Group.DATABASE,
              "database-password",
              "secret",
              null,
              Readers.text(),
              "The user's password. Others on this machine can see flags: prefer the environment or"
                  + " a file.")
          .with(Traits.SECRET);

  /** A file with the user's password. */
  public static final Setting<Path> DATABASE_PASSWORD_FILE =
      Setting.of(
          Group.DATABASE,
          "database-password-file",
          "file",
          null,
          Readers.path(),
          "A file with the user's password and nothing else, as /run/secrets/database-password, in"
              + " place of database-password; see docs/security.md.");

  /** The table. */
  public static final Setting<TableName> TABLE =
      Setting.of(
          Group.DATABASE,
          "table",
          "[schema.]table",
          null,
          Readers.table(),
          "The outbox table; unless given, postcommit_outbox (native), postcommit_log"
              + " (log), modkit_outbox_events (modkit)"
              + " or outbox_events (the other layouts).");

  /** The table's shape. */
  public static final Setting<String> LAYOUT =
      Setting.of(
          Group.DATABASE,
          "layout",
          String.join("|", Layout.presets()),
          "native",
          Readers.choice(Layout.presets()),
          "The shape of the outbox table.");

  /** A file that describes the table. */
  public static final Setting<Path> LAYOUT_FILE =
      Setting.of(
          Group.DATABASE,
          "layout-file",
          "file",
          null,
          Readers.path(),
          "A file that describes a table of your own, its name included, in place of layout and"
              + " table; see docs/layouts.md.");

  /** What becomes of dead rows. */
  public static final Setting<DeadRows> DEAD_ROWS =
      Setting.of(
          Group.DATABASE,
          "dead-rows",
          "keep|mark-processed",
          null,
          Readers.choice(DeadRows.class),
          "In the polyshop layout, or another with a processed flag: whether dead rows stay"
              + " unprocessed or are marked processed. Unless given, as the layout says; polyshop"
              + " keeps them.");

  /** What becomes of delivered rows. */
  public static final Setting<OnDelivery> ON_DELIVERY =
      Setting.of(
          Group.DATABASE,
          "on-delivery",
          "keep|delete",
          "keep",
          Readers.choice(OnDelivery.class),
          "Whether delivered rows are kept for the retention time or deleted at once. Rows of a log"
              + " are kept.");

  /** The most events claimed at once. */
  public static final Setting<Integer> BATCH_SIZE =
      Setting.of(
          Group.RELAY,
          "batch-size",
          "n",
          Integer.toString(RELAY.batchSize()),
          Readers.integer(1, 10_000),
          "The most events claimed at once, up to 10000. With the packfinderz layout 50 unless given.");

  /** The bytes after which a claim takes no more events. */
  public static final Setting<Long> BATCH_BYTES =
      Setting.of(
          Group.RELAY,
          "batch-bytes",
          "n",
          RELAY.batchBytes() / (1 << 20) + "MiB",
          Readers.bytes(),
          "The payload bytes after which a claim takes no more events.");

  /** How many batches are worked on side by side. */
  public static final Setting<Integer> BATCHES_IN_FLIGHT =
      Setting.of(
          Group.RELAY,
          "batches-in-flight",
          "n",
          Integer.toString(RELAY.batchesInFlight()),
          Readers.integer(1, 64),
          "How many batches are worked on side by side, up to 64. The relay takes up to %d database connections more than that."
              .formatted(RelayConfig.MORE_CONNECTIONS));

  /** How often an idle relay looks for events. */
  public static final Setting<Duration> POLL_INTERVAL =
      Setting.of(
          Group.RELAY,
          "poll-interval",
          "time",
          Durations.show(RELAY.pollInterval()),
          Readers.duration(MILLISECOND),
          "How often an idle relay looks for events; at most a third of the lease. With the packfinderz layout 500ms unless given.");

  /** How long a claim lasts. */
  public static final Setting<Duration> LEASE =
      Setting.of(
          Group.RELAY,
          "lease",
          "time",
          Durations.show(RELAY.lease()),
          Readers.duration(MILLISECOND),
          "How long a claim lasts unless renewed, and so how long the events of a killed relay"
              + " wait.");

  /** How long stopping waits. */
  public static final Setting<Duration> DRAIN_TIMEOUT =
      Setting.of(
          Group.RELAY,
          "drain-timeout",
          "time",
          Durations.show(RELAY.drainTimeout()),
          Readers.duration(Duration.ZERO),
          "How long stopping waits for what is in flight.");

  /** Which events wait for which. */
  public static final Setting<Ordering> ORDERING =
      Setting.of(
          Group.RELAY,
          "ordering",
          "per-key|none",
          Setting.word(RELAY.ordering()),
          Readers.choice(Ordering.class),
          "Whether events of one key wait for each other.");

  /** Deliveries after which an event is given up. */
  public static final Setting<Integer> MAX_ATTEMPTS =
      Setting.of(
          Group.RELAY,
          "max-attempts",
          "n|unlimited",
          null,
          Readers.attempts(),
          "Deliveries of one event, the first included, before it is dead. Unless given, as the"
              + " layout says: native and log 20, packfinderz 25, logistik 5, polyshop unlimited; for modkit"
              + " it must be given.");

  /** The delay after the first failure. */
  public static final Setting<Duration> RETRY_BASE_DELAY =
      Setting.of(
          Group.RELAY,
          "retry-base-delay",
          "time",
          null,
          Readers.duration(MILLISECOND),
          "The delay after an event's first failure; it doubles with each further one. Unless given,"
              + " as the layout says: packfinderz 500ms, the others 1s.");

  /** The longest delay. */
  public static final Setting<Duration> RETRY_MAX_DELAY =
      Setting.of(
          Group.RELAY,
          "retry-max-delay",
          "time",
          null,
          Readers.duration(MILLISECOND),
          "The longest delay between two attempts. Unless given, as the layout says: packfinderz 10s,"
              + " the others 5m.");

  /** How long events wait for a topic that takes no messages. */
  public static final Setting<Duration> GIVE_UP_AFTER =
      Setting.of(
          Group.RELAY,
          "give-up-after",
          "time|off",
          "off",
          Readers.durationOrOff(Duration.ofSeconds(1)),
          "How long events wait for a topic that is missing or forbidden before they are dead, at"
              + " least 1s; 'off' lets them wait without limit.");

  /** The only namespace to deliver. */
  public static final Setting<String> NAMESPACE =
      Setting.of(
          Group.RELAY,
          "namespace",
          "name",
          null,
          Readers.text(),
          "Deliver only events of this namespace; all unless given. Not with a log.");

  /** The only tenant to deliver. */
  public static final Setting<UUID> TENANT =
      Setting.of(
          Group.RELAY,
          "tenant",
          "uuid",
          null,
          Readers.uuid(),
          "Deliver only events of this tenant; all unless given. Not with a log.");

  /** How long delivered rows are kept. */
  public static final Setting<Duration> RETENTION =
      Setting.of(
          Group.RELAY,
          "retention",
          "time|off",
          "30d",
          Readers.durationOrOff(),
          "How long the relay keeps delivered rows; 'off' or 0 keeps them for ever.");

  /** How many standbys must have an event before it is sent. */
  public static final Setting<Integer> WAIT_FOR_STANDBYS =
      Setting.of(
          Group.RELAY,
          "wait-for-standbys",
          "n",
          "0",
          Readers.integer(0, 100),
          "How many of the standbys in standby-names must have an event on disk before it is sent, so"
              + " that a failover to one of them leaves no event without its row; 0 waits for none."
              + " Needs pg_read_all_stats; see docs/failover.md.");

  /** The standbys to wait for. */
  public static final Setting<List<String>> STANDBY_NAMES =
      Setting.of(
          Group.RELAY,
          "standby-names",
          "name,…",
          null,
          Readers.standbys(),
          "The physical standbys that wait-for-standbys counts, by the application_name of their"
              + " connections to the primary. Required with wait-for-standbys.");

  /** Those of a relay, in the order help shows them. */
  public static final List<Setting<?>> RELAY_SETTINGS =
      List.of(
          DATABASE_URL,
          DATABASE_USER,
          DATABASE_PASSWORD,
          DATABASE_PASSWORD_FILE,
          TABLE,
          LAYOUT,
          LAYOUT_FILE,
          ON_DELIVERY,
          DEAD_ROWS,
          MessageSettings.ENVELOPE,
          MessageSettings.SOURCE,
          MessageSettings.ROUTE,
          MessageSettings.REGISTRY_FILE,
          BrokerSettings.BROKER,
          BrokerSettings.KAFKA_BOOTSTRAP_SERVERS,
          BrokerSettings.KAFKA_CONFIG,
          BrokerSettings.KAFKA_CONFIG_FILE,
          BrokerSettings.KAFKA_TRANSACTIONAL_ID,
          BrokerSettings.PUBSUB_PROJECT,
          BrokerSettings.PUBSUB_ENDPOINT,
          BrokerSettings.PUBSUB_DELIVERY_TIMEOUT,
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

  /** All there are, in the order help shows them. */
  public static final List<Setting<?>> ALL =
      Stream.of(RELAY_SETTINGS, ProcessSettings.ALL).<Setting<?>>flatMap(List::stream).toList();

  /**
   * Those that a command needs to find the table and tell its rows apart; in the packfinderz layout
   * a row is dead when it has had its attempts.
   */
  public static final List<Setting<?>> TABLE_SETTINGS =
      List.of(
          DATABASE_URL,
          DATABASE_USER,
          DATABASE_PASSWORD,
          DATABASE_PASSWORD_FILE,
          TABLE,
          LAYOUT,
          LAYOUT_FILE,
          MAX_ATTEMPTS);

  /** Those of a command that also looks at the broker, and at the topics that are certain. */
  public static final List<Setting<?>> STATUS_SETTINGS =
      Stream.of(
              TABLE_SETTINGS,
              List.of(MessageSettings.ROUTE, BrokerSettings.BROKER),
              BrokerSettings.KAFKA,
              BrokerSettings.PUBSUB)
          .<Setting<?>>flatMap(List::stream)
          .toList();

  /** Those that decide what a relay does to its table. */
  public static final List<Setting<?>> GRANTS_SETTINGS =
      List.of(TABLE, LAYOUT, LAYOUT_FILE, ON_DELIVERY, DEAD_ROWS, RETENTION, WAIT_FOR_STANDBYS);

  private ServerSettings() {}
}
