package dev.postcommit.layout;

/** What a column of an outbox table is for. */
public enum Role {
  /** Identifies the event; the primary key. */
  ID,
  /** Rises in the order rows are written. */
  SEQ,
  /** Keeps modules that share the table apart. */
  NAMESPACE,
  /** Where the event is to go. */
  TOPIC,
  /** Whose event it is. */
  TENANT,
  /** At most one row per namespace, topic and dedupe key. */
  DEDUPE_KEY,
  /** What happened. */
  TYPE,
  /** The kind of thing it happened to. */
  AGGREGATE_TYPE,
  /** Which thing it happened to. */
  AGGREGATE_ID,
  /** Events of one key are delivered in order. */
  KEY,
  /** The version of the payload's shape. */
  VERSION,
  /** Message headers, as a JSON object of strings. */
  HEADERS,
  /** The content. */
  PAYLOAD,
  /** When the row was written. */
  CREATED_AT,
  /** Not to be delivered before. */
  DUE_AT,
  /** Where the row stands in its life. */
  STATUS,
  /** Deliveries tried so far. */
  ATTEMPTS,
  /** Why the last attempt failed. */
  LAST_ERROR,
  /** When the row was delivered. */
  DELIVERED_AT,
  /** Whether the row is done with. */
  PROCESSED,
  /** Who holds the row's lease. */
  LOCKED_BY,
  /** When the row's lease ends. */
  LOCKED_UNTIL,
  /** When the row last changed. */
  UPDATED_AT
}
