package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.postcommit.Event;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What a relay logs about single events. */
@DisplayName("R50: the log of events")
@SuppressWarnings("try") // a relay works without being spoken to
class EventLogIT extends RelayFixture {
  private static final Delivery BUSY = new Delivery.Retryable("busy", null);
  private static final String PAYLOAD = "no-business-of-the-log";

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.postcommit.event");
  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(
              new Line(event.getLevel(), event.getFormattedMessage(), event.getMDCPropertyMap()));
        }
      };

  private record Line(Level level, String message, Map<String, String> mdc) {}

  @BeforeEach
  void listen() {
    lines.clear();
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(appender);
    logger.setLevel(null);
  }

  private String enqueueOne() {
    Event event =
        Event.builder("order.placed")
            .aggregate("order", "o-1")
            .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .json("{\"note\":\"" + PAYLOAD + "\"}")
            .build();
    enqueue(event);
    return event.id().toString();
  }

  private List<String> path() {
    return lines.stream()
        .map(line -> line.level() + " " + line.message().replaceFirst("( in .*|):.*", ""))
        .toList();
  }

  @Test
  @DisplayName("at level debug shows the whole path of an event that is retried and delivered")
  void showsThePathOfAnEvent() {
    logger.setLevel(Level.DEBUG);
    AtomicInteger attempts = new AtomicInteger();
    publisher.answering(message -> attempts.incrementAndGet() == 1 ? BUSY : Delivery.DELIVERED);
    String id = enqueueOne();
    MDC.put("relay", "orders");
    try (Relay relay = started(relay())) {
      awaitDelivered(List.of(id));
    } finally {
      MDC.remove("relay");
    }

    assertThat(path())
        .containsExactly("DEBUG claimed", "WARN retrying", "DEBUG claimed", "DEBUG delivered");
    for (int i = 0; i < lines.size(); i++) {
      String attempt = Integer.toString(1 + i / 2);
      assertThat(lines.get(i).message())
          .contains(
              "event_id=%s event_type=order.placed aggregate_type=order aggregate_id=o-1"
                      .formatted(id)
                  + " traceId=4bf92f3577b34da6a3ce929d0e0e4736 attempt="
                  + attempt)
          .doesNotContain(PAYLOAD);
      assertThat(lines.get(i).mdc())
          .containsOnly(
              Map.entry("event_id", id),
              Map.entry("event_type", "order.placed"),
              Map.entry("aggregate_type", "order"),
              Map.entry("aggregate_id", "o-1"),
              Map.entry("traceId", "4bf92f3577b34da6a3ce929d0e0e4736"),
              Map.entry("correlationId", id),
              Map.entry("attempt", attempt),
              Map.entry("relay", "orders"),
              Map.entry("table", "postcommit_outbox"));
    }
  }

  @Test
  @DisplayName("tells of a dead event as an error, at any level")
  void tellsOfADeadEvent() {
    publisher.answering(message -> new Delivery.Rejected("too large", null));
    String id = enqueueOne();
    try (Relay relay = started(relay())) {
      awaitUntil(() -> admin().status().dead() == 1);
    }

    assertThat(path()).containsExactly("ERROR dead event");
    assertThat(lines.get(0).message()).endsWith("; reason=too large");
    assertThat(lines.get(0).mdc()).containsEntry("event_id", id).doesNotContainKey("relay");
  }

  @Test
  @DisplayName("has at most ten lines for the retries of a batch that have one reason")
  void isNotFlooded() {
    AtomicInteger attempts = new AtomicInteger();
    publisher.answering(message -> attempts.incrementAndGet() <= 12 ? BUSY : Delivery.DELIVERED);
    List<Event> events =
        IntStream.range(0, 12)
            .mapToObj(i -> Event.builder("tick").key("key-" + i).json("{}").build())
            .toList();
    events.forEach(this::enqueue);
    try (Relay relay = started(relay())) {
      awaitDelivered(events.stream().map(event -> event.id().toString()).toList());
    }

    assertThat(lines).hasSize(11).allMatch(line -> line.level() == Level.WARN);
    assertThat(lines.subList(0, 10))
        .allSatisfy(line -> assertThat(line.message()).matches("retrying in \\d+ ms: .*"));
    assertThat(lines.get(10).message())
        .isEqualTo(
            "2 more events failed and will be retried; reason=busy; level debug of"
                + " dev.postcommit.event shows each");
  }

  @Test
  @DisplayName("has at most ten lines for the dead events of a batch that have one reason")
  void isNotFloodedByDeadEvents() {
    publisher.answering(message -> new Delivery.Rejected("too large", null));
    IntStream.range(0, 12)
        .mapToObj(i -> Event.builder("tick").key("key-" + i).json("{}").build())
        .forEach(this::enqueue);
    try (Relay relay = started(relay())) {
      awaitUntil(() -> admin().status().dead() == 12);
    }

    assertThat(lines).hasSize(11).allMatch(line -> line.level() == Level.ERROR);
    assertThat(lines.subList(0, 10)).allMatch(line -> line.message().startsWith("dead event: "));
    assertThat(lines.get(10).message())
        .isEqualTo(
            "2 more events are dead; reason=too large; level debug of dev.postcommit.event shows"
                + " each");
  }
}
