package dev.postcommit.layout;

/** What a column of an outbox table is for. */
public enum Role {
  /** Identifies the event; the primary key. */
  ID,
  /** A number that rises in the order in which rows are written. */
  SEQ,
  /** Separates modules that share the table. */
  NAMESPACE,
  /** The event's destination. */
  TOPIC,
  /** The tenant the event belongs to. */
  TENANT,
  /** At most one row per namespace, topic and dedupe key. */
  DEDUPE_KEY,
  /** The event's type: what happened. */
  TYPE,
  /** The kind of entity it happened to. */
  AGGREGATE_TYPE,
  /** The id of the entity it happened to. */
  AGGREGATE_ID,
  /** The ordering key: events with the same key are delivered in order. */
  KEY,
  /** The version of the payload's shape. */
  VERSION,
  /** Message headers, as a JSON object of strings. */
  HEADERS,
  /** The event's content. */
  PAYLOAD,
  /** When the row was written. */
  CREATED_AT,
  /** When the event is due; it is not delivered earlier. */
  DUE_AT,
  /** The state of the row. */
  STATUS,
  /** The number of delivery attempts so far. */
  ATTEMPTS,
  /** Why the last attempt failed. */
  LAST_ERROR,
  /** When the row was delivered. */
  DELIVERED_AT,
  /** Whether the row has been processed. */
  PROCESSED,
  /** The relay that holds the row's lease. */
  LOCKED_BY,
  /** When the row's lease ends. */
  LOCKED_UNTIL,
  /** When the row last changed. */
  UPDATED_AT
}
