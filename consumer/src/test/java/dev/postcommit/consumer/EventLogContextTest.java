package dev.postcommit.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** R50: log lines about an event carry its ids. */
class EventLogContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final Map<String, String> IDS =
      Map.of(
          "event_id", "e1",
          "event_type", "order.placed",
          "aggregate_type", "order",
          "aggregate_id", "42",
          "traceId", TRACE,
          "correlationId", "c-1");

  private final org.slf4j.Logger application = LoggerFactory.getLogger("the.application");
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Level level = root.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    root.setLevel(Level.DEBUG);
    lines.start();
    root.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    root.detachAppender(lines);
    root.setLevel(level);
    MDC.clear();
  }

  private static ReceivedMessage message(Map<String, String> more) {
    Map<String, String> headers = new HashMap<>(more);
    headers.put("event_id", "e1");
    headers.put("event_type", "order.placed");
    return new ReceivedMessage("orders", "42", headers, "{}".getBytes(UTF_8));
  }

  private static ReceivedMessage traced() {
    return message(
        Map.of(
            "aggregate_type", "order",
            "aggregate_id", "42",
            "traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01",
            "correlationId", "c-1"));
  }

  private EventConsumer consumer(EventHandler<String> handler) {
    return EventConsumer.builder("inventory")
        .inbox(Inbox.none())
        .retryPolicy(new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1)))
        .on(
            "order.placed",
            String.class,
            event -> {
              application.info("handling");
              handler.handle(event);
            })
        .build();
  }

  /** What was in the context of a line. */
  private Map<String, String> context(String text) {
    List<ILoggingEvent> found =
        lines.list.stream().filter(line -> line.getFormattedMessage().contains(text)).toList();
    assertThat(found).as(text).hasSize(1);
    return found.get(0).getMDCPropertyMap();
  }

  @Test
  void linesOfAHandlerCarryTheIdsOfItsEvent() {
    consumer(event -> {}).handle(traced());

    assertThat(context("handling")).isEqualTo(IDS);
    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
  }

  @Test
  void whatWasInTheContextIsThereAgainAfterwards() {
    MDC.put("request", "r-1");
    MDC.put("event_id", "outer");
    MDC.put("aggregate_id", "7");

    consumer(event -> MDC.put("traceId", "changed")).handle(message(Map.of()));

    assertThat(context("handling"))
        .isEqualTo(Map.of("request", "r-1", "event_id", "e1", "event_type", "order.placed"));
    assertThat(MDC.getCopyOfContextMap())
        .isEqualTo(Map.of("request", "r-1", "event_id", "outer", "aggregate_id", "7"));
  }

  @Test
  void linesAboutRetriesAndTheEndCarryThemToo() {
    EventConsumer consumer =
        consumer(
            event -> {
              throw new IllegalStateException("no stock");
            });

    consumer.handle(List.of(new WorkItem(traced(), null, 1)));
    assertThat(context("is tried again")).isEqualTo(IDS);

    consumer.handle(List.of(new WorkItem(traced(), null, 2)));
    assertThat(context("given up: gave up after attempt 2")).isEqualTo(IDS);
    assertThat(context("the error of the event given up")).isEqualTo(IDS);
    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
  }

  @Test
  void linesAboutDuplicatesCarryThemToo() {
    consumer(event -> {}).handle(List.of(new WorkItem(traced()), new WorkItem(traced())));

    assertThat(context("a duplicate")).isEqualTo(IDS);
  }

  @Test
  void aTraceIdOfTheEventsOwnIsWhatRelaysCallTheTraceToo() {
    Map<String, String> headers = new HashMap<>(traced().headers());
    headers.put("traceId", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736");

    consumer(event -> {}).handle(message(headers));

    assertThat(context("handling")).containsEntry("traceId", headers.get("traceId"));
  }

  @Test
  void theEnvelopeMayTellTraceAndCorrelation() {
    String body =
        "{\"eventId\":\"e1\",\"timestamp\":\"2026-03-04T05:06:07Z\",\"eventType\":\"order.placed\","
            + "\"version\":1,\"source\":\"orders\",\"data\":{},"
            + "\"metadata\":{\"traceId\":\"t-1\",\"correlationId\":\"c-2\"}}";
    consumer(event -> {})
        .handle(
            new ReceivedMessage(
                "orders", null, Map.of("traceparent", "broken"), body.getBytes(UTF_8)));

    assertThat(context("handling")).containsEntry("traceId", "t-1");
    assertThat(context("handling")).containsEntry("correlationId", "c-2");
  }
}
