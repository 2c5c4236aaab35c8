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

  private final Meters meters;
  private final HandledTypeMeters others;
  private final Map<String, HandledTypeMeters> types = new ConcurrentHashMap<>();
  private volatile boolean available = true;

  private ConsumerMetrics(MeterRegistry registry, String consumer) {
    this.meters = new Meters(registry, Tags.of("consumer", TagValues.clean(consumer)));
    this.others = new HandledTypeMeters(meters, OTHER);
    meters.gauge(
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
    meters.gauge(
        "inbox.pending",
        "Messages that were fetched and are not done",
        readers,
        now -> now.get().stream().mapToInt(BrokerConsumer::pending).sum());
    meters.gauge(
        "inbox.lag",
        "Messages in the broker that are not handled yet",
        readers,
        now -> lag(now.get()));
    meters.gauge(
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
    HandledTypeMeters handled =
        types.computeIfAbsent(
            event.type(), type -> new HandledTypeMeters(meters, TagValues.clean(type)));
    long begin = System.nanoTime();
    return error -> handled.handled(System.nanoTime() - begin);
  }

  @Override
  public void processed(ReceivedEvent<?> event, Duration took) {
    HandledTypeMeters handled = handled(event.type());
    handled.ended("processed");
    @Nullable Instant occurredAt = event.occurredAt();
    if (occurredAt != null) {
      handled.took(Duration.between(occurredAt, Instant.now()));
    }
  }

  @Override
  public void duplicate(ReceivedEvent<?> event) {
    handled(event.type()).ended("duplicate");
  }

  @Override
  public void ignored(ReceivedEvent<?> event) {
    handled(event.type()).ended("ignored");
  }

  @Override
  public void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {
    handled(event.type()).retried();
  }

  @Override
  public void dead(DeadLetter deadLetter) {
    handled(Objects.requireNonNullElse(deadLetter.eventType(), OTHER)).ended("dead");
  }

  private HandledTypeMeters handled(String type) {
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
    meters.removeGauges();
  }
}
