package dev.postcommit.settings;

import static dev.postcommit.settings.Setting.Group.CONSUMER;

import dev.postcommit.layout.TableName;
import java.util.List;

/** The settings of the consumer in a Spring application. */
public final class ConsumerSettings {

  /** What guards a consumer against handling an event twice. */
  public enum InboxName {
    /** One transaction of the application's database for the mark and the effect. */
    POSTGRES,
    /** Marks in Redis, before and after the effect. */
    REDIS
  }

  public static final Setting<Boolean> ENABLED =
      CONSUMER.setting(
          "consumer-enabled",
          "true|false",
          "true",
          Readers.flag(),
          "Whether the event handlers of this application consume; false for instances that only"
              + " serve requests, and for tests without a broker.");

  public static final Setting<List<String>> TOPICS =
      CONSUMER.setting(
          "consumer-topics",
          "topic,…",
          Readers.names(),
          "The Kafka topics to read. Required for event handlers, unless there are subscriptions.");

  public static final Setting<List<String>> SUBSCRIPTIONS =
      CONSUMER.setting(
          "consumer-subscriptions",
          "subscription,…",
          Readers.names(),
          "The Pub/Sub subscriptions to read, instead of topics of Kafka.");

  public static final Setting<String> GROUP =
      CONSUMER.setting(
          "consumer-group",
          "name",
          Readers.filled(),
          "The consumer's name: its group in Kafka, and the name under which the inbox remembers"
              + " what it has handled. Instances that share the work share it, and no other"
              + " application may have it. Default: spring.application.name.");

  public static final Setting<InboxName> INBOX =
      CONSUMER.setting(
          "consumer-inbox",
          "postgres|redis",
          "postgres",
          Readers.choice(InboxName.class),
          "What remembers handled events: postgres, in the transaction of the handler, or redis,"
              + " for effects outside of the database; see docs/consumers.md.");

  public static final Setting<TableName> INBOX_TABLE =
      CONSUMER.setting(
          "consumer-inbox-table",
          "[schema.]table",
          "processed_events",
          Readers.table(),
          "The table of the inbox in Postgres. It belongs to one consumer.");

  public static final Setting<String> UNKNOWN_TYPES =
      CONSUMER.setting(
          "consumer-unknown-types",
          "ignore|dead-letter|fail",
          "ignore",
          Readers.choice(List.of("ignore", "dead-letter", "fail")),
          "What happens to events of a type without a handler: they are acknowledged and forgotten,"
              + " sent to the dead-letter topic, or retried until there is a handler. The log warns"
              + " once of each type.");

  public static final Setting<Integer> THREADS =
      CONSUMER.setting(
          "consumer-threads",
          "n",
          "1",
          Readers.integer(1, 1_000),
          "How many threads call handlers. Each uses a database connection of the pool while it"
              + " does.");

  public static final Setting<String> ORDER =
      CONSUMER.setting(
          "consumer-order",
          "partition|key",
          "partition",
          Readers.choice(List.of("partition", "key")),
          "Which events of Kafka are handled one after the other: those of a partition, or those of"
              + " a key, so that a retry holds back its key alone.");

  /** All of them. */
  public static final List<Setting<?>> ALL =
      List.of(
          ENABLED, TOPICS, SUBSCRIPTIONS, GROUP, INBOX, INBOX_TABLE, UNKNOWN_TYPES, THREADS, ORDER);

  private ConsumerSettings() {}
}
