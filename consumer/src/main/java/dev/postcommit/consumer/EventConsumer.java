package dev.postcommit.consumer;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.internal.json.DataDecoder;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Handles received events so that each has its effect once. Safe for use by many threads.
 *
 * <pre>{@code
 * EventConsumer inventory =
 *     EventConsumer.builder("inventory-service")
 *         .inbox(Inbox.transactional(store))
 *         .on("order.placed", OrderPlaced.class, (tx, event) -> stock.reserve(tx, event.data()))
 *         .build();
 * }</pre>
 *
 * <p>A broker's adapter passes messages to it, or your own code does:
 *
 * <pre>{@code
 * Outcome outcome = inventory.handle(message);
 * }</pre>
 *
 * <p>It has no thread of its own, and never waits longer than handlers and stores do: the caller
 * passes a message again if it is to be retried.
 */
public interface EventConsumer {

  /**
   * Starts a consumer.
   *
   * @param name the name under which events are remembered and dead letters are sent, as {@code
   *     inventory-service}; instances that share the work have the same name
   */
  static Builder builder(String name) {
    return new Builder(name);
  }

  /** The name under which events are remembered. */
  String name();

  /** Handles a message that waits for no other, as its first attempt. */
  default Outcome handle(ReceivedMessage message) {
    return handle(List.of(new WorkItem(message))).get(0);
  }

  /**
   * Handles messages, together where that saves time. Those with equal {@linkplain
   * WorkItem#orderingKey ordering keys} are handled in the order given.
   *
   * @return the outcome of each, in the same order
   */
  List<Outcome> handle(List<WorkItem> items);

  /**
   * Forgets handled events whose time to live is over; see {@link IdempotencyStore#prune}.
   *
   * @return how many were forgotten
   */
  long prune();

  /** Collects the settings of a consumer; not safe for use by several threads. */
  final class Builder {
    private static final RetryPolicy DEFAULT_RETRIES =
        new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final String name;
    private final Map<String, DecodingHandler> handlers = new HashMap<>();
    private final Set<String> transactional = new TreeSet<>();
    private final Set<Class<? extends Throwable>> permanent = new HashSet<>();
    private @Nullable Inbox inbox;
    private EnvelopeReader envelope = EnvelopeReader.detect();
    private UnknownTypes unknownTypes = UnknownTypes.IGNORE;
    private RetryPolicy retryPolicy = DEFAULT_RETRIES;
    private DataDecoder decoder = new DataDecoder();
    private final List<ConsumerListener> listeners = new ArrayList<>();

    private Builder(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("the consumer's name must not be blank");
      }
      this.name = name;
    }

    /** Sets how the consumer guards itself against duplicates. Required. */
    public Builder inbox(Inbox value) {
      inbox = value;
      return this;
    }

    /**
     * Sets the handler of one type of events.
     *
     * @param type the events' type, as {@code order.placed}
     * @param as what their data is decoded into; {@code byte[]} and {@code String} take it as it
     *     was written, anything else is decoded from JSON
     */
    public <T> Builder on(String type, Class<T> as, EventHandler<T> handler) {
      return on(type, DecodingHandler.of(as, handler));
    }

    /**
     * Sets the handler of one type of events, which works in the transaction of a {@linkplain
     * Inbox#transactional transactional} inbox.
     *
     * @param type the events' type, as {@code order.placed}
     * @param as what their data is decoded into, as in {@link #on(String, Class, EventHandler)}
     */
    public <T> Builder on(String type, Class<T> as, TransactionalHandler<T> handler) {
      transactional.add(type);
      return on(type, DecodingHandler.of(as, handler));
    }

    private Builder on(String type, DecodingHandler handler) {
      if (type.isBlank()) {
        throw new IllegalArgumentException("the type of events must not be blank");
      }
      if (handlers.putIfAbsent(type, handler) != null) {
        throw new IllegalArgumentException("there are two handlers for events of type " + type);
      }
      return this;
    }

    /** Sets what happens to events without a handler. Default: they are ignored. */
    public Builder unknownTypes(UnknownTypes value) {
      unknownTypes = value;
      return this;
    }

    /** Sets how messages are read. Default: {@link EnvelopeReader#detect}. */
    public Builder envelope(EnvelopeReader value) {
      envelope = value;
      return this;
    }

    /**
     * Sets when an event whose handler failed is retried, and when it is given up. Default: five
     * attempts, from one second to half a minute apart.
     */
    public Builder retryPolicy(RetryPolicy value) {
      retryPolicy = value;
      return this;
    }

    /** Adds an exception type after which no handler is retried. */
    public Builder permanentError(Class<? extends Throwable> type) {
      permanent.add(type);
      return this;
    }

    /** Sets the JSON decoder. Default: ignores unknown fields, supports {@code java.time}. */
    public Builder json(ObjectMapper value) {
      decoder = new DataDecoder(value);
      return this;
    }

    /** Adds a listener. */
    public Builder listener(ConsumerListener value) {
      listeners.add(value);
      return this;
    }

    /**
     * The consumer; nothing is connected.
     *
     * @throws IllegalArgumentException if a setting is missing or does not fit the others
     */
    public EventConsumer build() {
      if (inbox == null) {
        throw new IllegalArgumentException(
            "the consumer %s has no inbox; choose one, or Inbox.none()".formatted(name));
      }
      if (handlers.isEmpty()) {
        throw new IllegalArgumentException(
            "the consumer %s has no handlers; add them by on(…)".formatted(name));
      }
      if (!transactional.isEmpty() && !(inbox instanceof Inbox.Transactional)) {
        throw new IllegalArgumentException(
            "the handlers of %s take a transaction, which only Inbox.transactional(…) has"
                .formatted(String.join(", ", transactional)));
      }
      InboxStrategy strategy = InboxStrategy.of(inbox);
      strategy.check(name);
      return new ConsumerEngine(
          Map.copyOf(handlers),
          strategy,
          envelope,
          unknownTypes,
          decoder,
          new OutcomeMapping(name, retryPolicy, Set.copyOf(permanent), listeners));
    }
  }
}
