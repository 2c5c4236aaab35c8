package dev.postcommit;

import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.write.WritingRules;
import dev.postcommit.layout.Layout;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The writing side: records events in the caller's own transaction.
 *
 * <p>Safe for use by many threads. It holds no connection and starts no thread.
 */
public interface Outbox {

  /**
   * The payload limit unless another is set. A message that Kafka takes with its own defaults has 1
   * MiB; what is left is for key, envelope and whatever else goes with a payload.
   */
  int DEFAULT_MAX_PAYLOAD_BYTES = 1_000_000;

  /**
   * Records {@code event} in the caller's transaction; it is delivered after commit, at least once,
   * and never if the transaction rolls back.
   *
   * @param tx the connection whose transaction writes the rows the event speaks of
   * @throws NoTransactionException if {@code tx} is in auto-commit mode; nothing is written
   * @throws InvalidEventException if the layout cannot hold the event, or its payload cannot be
   *     serialised; nothing is written
   */
  Enqueued enqueue(Connection tx, Event event);

  /**
   * Records many events with one statement, in the order of the list.
   *
   * @return what became of each, in the same order
   * @throws NoTransactionException if {@code tx} is in auto-commit mode; nothing is written
   * @throws InvalidEventException if the layout cannot hold one of the events, or its payload
   *     cannot be serialised; nothing is written
   */
  List<Enqueued> enqueueAll(Connection tx, List<Event> events);

  /** The largest payload accepted, in bytes; see {@link Builder#maxPayloadBytes}. */
  default int maxPayloadBytes() {
    return DEFAULT_MAX_PAYLOAD_BYTES;
  }

  /** An outbox on the native table with every default. */
  static Outbox create() {
    return builder(Layout.nativeTable()).build();
  }

  /** Starts an outbox on a table of the given layout. */
  static Builder builder(Layout layout) {
    return new Builder(layout);
  }

  /** Collects an outbox's settings. */
  final class Builder {
    private final Layout layout;
    private int maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES;
    private boolean tenantCheck = true;
    private boolean topicCheck = true;
    private @Nullable PayloadSerializer payloadSerializer;

    private Builder(Layout layout) {
      this.layout = layout;
    }

    /**
     * Sets the largest payload accepted, in bytes; 1,000,000 unless set. Headers count, names
     * included. JSON in a jsonb column counts as it is read back, and bytes count as the base64
     * that a structured CloudEvent makes of them, four for each three.
     *
     * <p>Whoever raises it raises what the broker takes, too: for Kafka {@code max.request.size} of
     * the relay's producer, and {@code max.message.bytes} of the topics, to 48,576 bytes more.
     */
    public Builder maxPayloadBytes(int bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("maxPayloadBytes must be at least 1, not " + bytes);
      }
      maxPayloadBytes = bytes;
      return this;
    }

    /**
     * Switches off the check that a dedupe key begins with the tenant's id and {@code /} when both
     * are set.
     */
    public Builder withoutTenantCheck() {
      tenantCheck = false;
      return this;
    }

    /**
     * Switches off the check that an event's topic, or its type where that is the topic, is a name
     * that Kafka allows: for another broker, or for relays whose {@linkplain
     * dev.postcommit.relay.Router router} makes the topic of something else.
     */
    public Builder withoutTopicCheck() {
      topicCheck = false;
      return this;
    }

    /**
     * Sets what serialises payloads that are objects. Without it, only JSON text and bytes are
     * accepted.
     */
    public Builder payloadSerializer(PayloadSerializer serializer) {
      payloadSerializer = Objects.requireNonNull(serializer, "serializer");
      return this;
    }

    /** The outbox. */
    public Outbox build() {
      return Stores.outbox(
          layout, new WritingRules(maxPayloadBytes, tenantCheck, topicCheck, payloadSerializer));
    }
  }
}
