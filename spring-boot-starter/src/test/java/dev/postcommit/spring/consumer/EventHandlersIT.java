package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postcommit.Event;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.relay.Message;
import dev.postcommit.spring.SpringOutbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Event handlers of beans, on real Postgres and Kafka. */
class EventHandlersIT extends ConsumerFixture {

  /** The content of an order. */
  record OrderPlaced(int id, int total) {}

  /** What the handlers write; a proxy. */
  static class Stock {
    private final JdbcTemplate jdbc;

    Stock(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Transactional
    public void reserve(int id, int total) {
      jdbc.update("INSERT INTO reservation VALUES (?, ?)", id, total);
    }
  }

  /** Handlers in a bean that is a proxy itself. */
  @EnableTransactionManagement
  static class StockHandlers {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final AtomicInteger failures = new AtomicInteger();
    final CountDownLatch begun = new CountDownLatch(1);
    volatile CountDownLatch mayEnd = new CountDownLatch(0);
    private final Stock stock;

    StockHandlers(Stock stock) {
      this.stock = stock;
    }

    List<String> calls() {
      return calls;
    }

    void failTimes(int times) {
      failures.set(times);
    }

    void hold(CountDownLatch latch) {
      mayEnd = latch;
    }

    void awaitCall() throws InterruptedException {
      begun.await();
    }

    @Transactional
    @EventHandler("order.placed")
    void on(OrderPlaced order, EventContext event) throws InterruptedException {
      calls.add(event.id());
      begun.countDown();
      stock.reserve(order.id(), order.total());
      mayEnd.await();
      if (failures.getAndDecrement() > 0) {
        throw new IllegalStateException("not now");
      }
    }

    @EventHandler("order.noted")
    void note(ReceivedEvent<String> event) {
      calls.add(event.type() + " " + event.data());
    }

    @EventHandler("order.counted")
    void count(byte[] data) {
      calls.add("counted " + new String(data, StandardCharsets.UTF_8));
    }
  }

  private ApplicationContextRunner stock() {
    return application().withBean(Stock.class).withBean(StockHandlers.class);
  }

  @Test
  @DisplayName(
      "an event of the outbox becomes an object, and its effect shares a transaction with"
          + " its mark; the second delivery is a duplicate")
  void anEventHasItsEffectOnce() {
    stock()
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              StockHandlers handlers = context.getBean(StockHandlers.class);
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                  .executeWithoutResult(
                      status ->
                          context
                              .getBean(SpringOutbox.class)
                              .enqueue(
                                  Event.builder("order.placed")
                                      .aggregate("order", "1")
                                      .json("{\"id\": 1, \"total\": 7, \"more\": true}")
                                      .build()));
              awaitUntil(() -> reservations(1) == 1);
              assertThat(
                      count(
                          "SELECT count(*) FROM reservation r, processed_events p"
                              + " WHERE r.xmin = p.xmin AND r.total = 7"))
                  .isEqualTo(1);

              Message again = send("order.placed", 2, "{\"id\": 2, \"total\": 8}");
              awaitUntil(() -> reservations(2) == 1);
              send(again);
              send("order.placed", 3, "{\"id\": 3, \"total\": 9}");
              awaitUntil(() -> reservations(3) == 1);
              assertThat(handlers.calls()).hasSize(3).doesNotHaveDuplicates();
              assertThat(reservations(2)).isEqualTo(1);
              assertThat(marks()).isEqualTo(3);
            });
  }

  @Test
  void aHandlerThatFailsLeavesNothingAndIsCalledAgain() {
    stock()
        .run(
            context -> {
              StockHandlers handlers = context.getBean(StockHandlers.class);
              handlers.failTimes(1);
              send("order.placed", 4, "{\"id\": 4, \"total\": 1}");
              awaitUntil(() -> !handlers.calls().isEmpty());
              awaitUntil(() -> reservations(4) == 1);
              assertThat(handlers.calls()).hasSize(2);
              assertThat(marks()).isEqualTo(1);
            });
  }

  @Test
  void handlersMayTakeTheDataAsItWasWritten() {
    stock()
        .run(
            context -> {
              StockHandlers handlers = context.getBean(StockHandlers.class);
              send("order.noted", 5, "{\"a\": 1}");
              send("order.counted", 5, "[2]");
              awaitUntil(() -> marks() == 2);
              assertThat(handlers.calls()).containsExactly("order.noted {\"a\": 1}", "counted [2]");
            });
  }

  @Test
  void anEventWithoutARequiredFieldIsADeadLetter() {
    stock()
        .run(
            context -> {
              send("order.placed", 6, "{\"id\": 6, \"totl\": 1}");
              assertThat(deadLetters(1))
                  .singleElement()
                  .satisfies(
                      letter ->
                          assertThat(new String(letter.body(), StandardCharsets.UTF_8))
                              .contains("does not decode into")
                              .contains("OrderPlaced"));
              assertThat(context.getBean(StockHandlers.class).calls()).isEmpty();
              assertThat(marks()).isZero();
            });
  }

  @Test
  void anUnknownTypeIsIgnoredWithOneWarning() {
    Logger root = (Logger) LoggerFactory.getLogger("dev.postcommit.consumer");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    root.addAppender(lines);
    try {
      stock()
          .run(
              context -> {
                send("order.place", 7, "{}");
                send("order.place", 7, "{}");
                send("order.placed", 7, "{\"id\": 7, \"total\": 1}");
                awaitUntil(() -> reservations(7) == 1);
              });
    } finally {
      root.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("order.place,"))
        .singleElement()
        .asString()
        .contains("ignores them", "order.counted, order.noted, order.placed")
        .endsWith("did you mean order.placed?");
  }

  @Test
  void anUnknownTypeIsADeadLetterOnRequest() {
    stock()
        .withPropertyValues("postcommit.consumer.unknown-types=dead-letter")
        .run(
            context -> {
              send("order.shipped", 8, "{}");
              assertThat(deadLetters(1)).hasSize(1);
            });
  }

  @Test
  void anUnknownTypeIsWaitedForOnRequest() {
    stock()
        .withPropertyValues("postcommit.consumer.unknown-types=fail")
        .run(
            context -> {
              send("order.noted", 9, "1");
              awaitUntil(() -> marks() == 1);
              send("order.shipped", 9, "{}");
              send("order.noted", 9, "2");
              awaitUntil(() -> pending(context.getBean(ConsumerLifecycle.class)) == 2);
              assertThat(marks()).isEqualTo(1);
            });
    stock().run(context -> awaitUntil(() -> marks() == 2));
  }

  private static int pending(ConsumerLifecycle consumer) {
    return consumer.running().stream().mapToInt(each -> each.pending()).sum();
  }

  @Test
  void aConsumerStopsAndStartsWithItsApplication() {
    stock()
        .run(
            context -> {
              ConfigurableApplicationContext application = context;
              application.stop();
              assertThat(context.getBean(ConsumerLifecycle.class).running()).isEmpty();
              send("order.noted", 14, "1");
              application.start();
              awaitUntil(() -> marks() == 1);
            });
  }

  @Test
  void aHandlerFinishesBeforeTheApplicationEnds() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    stock()
        .run(
            context -> {
              StockHandlers handlers = context.getBean(StockHandlers.class);
              handlers.hold(mayEnd);
              send("order.placed", 10, "{\"id\": 10, \"total\": 1}");
              handlers.awaitCall();
              Thread closing = new Thread(context::close);
              closing.start();
              awaitUntil(() -> closing.getState() == Thread.State.WAITING);
              assertThat(reservations(10)).isZero();
              mayEnd.countDown();
              closing.join();
              assertThat(reservations(10)).isEqualTo(1);
            });
    // What was handled is committed to Kafka: nothing comes again.
    stock()
        .run(
            context -> {
              send("order.noted", 11, "1");
              awaitUntil(() -> marks() == 2);
              assertThat(context.getBean(StockHandlers.class).calls()).hasSize(1);
            });
  }

  @Test
  void aHandlerThatDoesNotEndIsInterruptedAtTheDeadline() {
    stock()
        .withPropertyValues("postcommit.drain-timeout=200ms")
        .run(
            context -> {
              StockHandlers handlers = context.getBean(StockHandlers.class);
              handlers.hold(new CountDownLatch(1));
              send("order.placed", 12, "{\"id\": 12, \"total\": 1}");
              handlers.awaitCall();
              context.close();
              assertThat(reservations(12)).isZero();
              assertThat(marks()).isZero();
            });
  }
}
