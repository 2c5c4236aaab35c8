package dev.postcommit.micrometer;

import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.spi.BrokerConsumer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of one consumer.
 *
 * <pre>{@code
 * ConsumerMetrics metrics = ConsumerMetrics.of(registry, "inventory-service");
 * EventConsumer inventory = EventConsumer.builder("inventory-service").listener(metrics)…
 * metrics.watch(() -> List.of(kafkaConsumer));
 * }</pre>
 *
 * <p>Types of events that have a handler have series of their own; all others share the type {@code
 * other}, because anyone who writes to a topic can invent one.
 */
public final class ConsumerMetrics implements ConsumerListener, AutoCloseable {
  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Tags tags;
  private final StateGauges gauges;
  private final HandledTypeMeters others;
  private final Map<String, HandledTypeMeters> types = new ConcurrentHashMap<>();
  private volatile boolean available = true;

  private ConsumerMetrics(MeterRegistry registry, String consumer) {
    this.registry = registry;
    this.tags = Tags.of("consumer", TagValues.clean(consumer));
    this.gauges = new StateGauges(registry, tags);
    this.others = new HandledTypeMeters(registry, tags, OTHER);
    gauges.add(
        "inbox.available",
        "1 if the inbox can be used, 0 if the consumer waits for it",
        this,
        self -> self.available ? 1 : 0);
  }

  /** Creates the metrics of the consumer of this name. */
  public static ConsumerMetrics of(MeterRegistry registry, String consumer) {
    return new ConsumerMetrics(registry, consumer);
  }

  /**
   * Adds gauges of what feeds the consumer from its broker.
   *
   * @param readers what feeds it at the moment; none while it is stopped
   */
  public void watch(Supplier<? extends List<? extends BrokerConsumer>> readers) {
    gauges.add(
        "inbox.pending",
        "Messages that were fetched and are not done",
        readers,
        now -> now.get().stream().mapToInt(BrokerConsumer::pending).sum());
    gauges.add(
        "inbox.lag",
        "Messages in the broker that are not handled yet",
        readers,
        now -> lag(now.get()));
    gauges.add(
        "inbox.problem",
        "1 if the consumer cannot read, send dead letters or make progress, else 0",
        readers,
        now -> now.get().stream().anyMatch(reader -> reader.problem().isPresent()) ? 1 : 0);
  }

  private static double lag(List<? extends BrokerConsumer> readers) {
    double lag = readers.isEmpty() ? Double.NaN : 0;
    for (BrokerConsumer reader : readers) {
      OptionalLong part = reader.lag();
      lag += part.isPresent() ? part.getAsLong() : Double.NaN;
    }
    return lag;
  }

  @Override
  public Handling handling(ReceivedEvent<?> event, int attempt) {
    HandledTypeMeters meters =
        types.computeIfAbsent(
            event.type(), type -> new HandledTypeMeters(registry, tags, TagValues.clean(type)));
    long begin = System.nanoTime();
    return error -> meters.handled(System.nanoTime() - begin);
  }

  @Override
  public void processed(ReceivedEvent<?> event, Duration took) {
    HandledTypeMeters meters = meters(event.type());
    meters.ended("processed");
    @Nullable Instant occurredAt = event.occurredAt();
    if (occurredAt != null) {
      meters.took(Duration.between(occurredAt, Instant.now()));
    }
  }

  @Override
  public void duplicate(ReceivedEvent<?> event) {
    meters(event.type()).ended("duplicate");
  }

  @Override
  public void ignored(ReceivedEvent<?> event) {
    meters(event.type()).ended("ignored");
  }

  @Override
  public void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {
    meters(event.type()).retried();
  }

  @Override
  public void dead(DeadLetter deadLetter) {
    meters(Objects.requireNonNullElse(deadLetter.eventType(), OTHER)).ended("dead");
  }

  private HandledTypeMeters meters(String type) {
    return types.getOrDefault(type, others);
  }

  @Override
  public void inboxUnavailable(String reason) {
    available = false;
  }

  @Override
  public void inboxRecovered(Duration outage) {
    available = true;
  }

  /** Removes the gauges from the registry. Call it after closing the consumer. */
  @Override
  public void close() {
    gauges.remove();
  }
}
