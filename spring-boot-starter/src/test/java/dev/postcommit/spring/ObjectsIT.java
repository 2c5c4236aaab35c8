package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.AggregateId;
import dev.postcommit.AggregateType;
import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.InvalidEventException;
import dev.postcommit.NoTransactionException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/** Objects that an application enqueues, or publishes as application events. */
class ObjectsIT {
  private static Orders orders;
  private static ConfigurableApplicationContext application;
  private static OrderService service;

  @EventType("order.placed")
  @AggregateType("order")
  record OrderPlaced(@AggregateId String orderId, int totalAmount) {}

  @EventType("order.paid")
  @AggregateType("order")
  record OrderPaid(@AggregateId String orderId) {}

  /** Not marked. */
  record OrderSeen(String orderId) {}

  static class OrderService {
    private final JdbcClient jdbc;
    private final SpringOutbox outbox;
    private final ApplicationEventPublisher events;
    private final AtomicReference<Throwable> tooLate = new AtomicReference<>();

    OrderService(JdbcClient jdbc, SpringOutbox outbox, ApplicationEventPublisher events) {
      this.jdbc = jdbc;
      this.outbox = outbox;
      this.events = events;
    }

    @Transactional
    public void place(int id, int total) {
      jdbc.sql("INSERT INTO orders VALUES (?, 'placed')").params(id).update();
      outbox.enqueue(Event.of(new OrderPlaced("" + id, total)));
    }

    @Transactional
    public void pay(String id) {
      jdbc.sql("UPDATE orders SET status = 'paid' WHERE id = ?::int").params(id).update();
      events.publishEvent(new OrderPaid(id));
    }

    @Transactional
    public long payAndFail(String id) {
      pay(id);
      long written =
          jdbc.sql("SELECT count(*) FROM postcommit_outbox WHERE aggregate_id = ?")
              .param(id)
              .query(Long.class)
              .single();
      throw new IllegalStateException(written + " written");
    }

    @Transactional
    public void see(String id) {
      events.publishEvent(new OrderSeen(id));
    }

    Throwable tooLate() {
      return tooLate.get();
    }

    @TransactionalEventListener
    void seen(OrderSeen event) {
      try {
        events.publishEvent(new OrderPaid(event.orderId()));
      } catch (RuntimeException e) {
        tooLate.set(e);
      }
    }
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnablePostcommit
  @Import(OrderService.class)
  static class Application {}

  @BeforeAll
  static void start() {
    orders = new Orders();
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(
                "spring.datasource.url=" + orders.database().jdbcUrl(),
                "spring.datasource.username=" + orders.database().username(),
                "spring.jackson.property-naming-strategy=SNAKE_CASE")
            .run();
    service = application.getBean(OrderService.class);
  }

  @AfterAll
  static void stop() {
    application.close();
    orders.close();
  }

  private static Map<String, Object> row(int id) {
    return new JdbcTemplate(orders.database().dataSource())
        .queryForMap(
            "SELECT type, aggregate_type, key, convert_from(payload, 'UTF8') AS payload"
                + " FROM postcommit_outbox WHERE aggregate_id = ?",
            Integer.toString(id));
  }

  @Test
  void anObjectIsWrittenAsTheApplicationsJson() {
    service.place(1, 100);

    assertThat(row(1))
        .containsEntry("type", "order.placed")
        .containsEntry("aggregate_type", "order")
        .containsEntry("key", "1")
        .containsEntry("payload", "{\"order_id\":\"1\",\"total_amount\":100}");
  }

  @Test
  void aPublishedObjectIsCommittedWithItsRows() {
    service.pay("2");

    assertThat(row(2))
        .containsEntry("type", "order.paid")
        .containsEntry("payload", "{\"order_id\":\"2\"}");
  }

  @Test
  void aPublishedObjectIsWrittenBeforeTheCommitAndRolledBackWithItsRows() {
    assertThatThrownBy(() -> service.payAndFail("3")).hasMessage("1 written");

    assertThat(orders.events(3)).isZero();
  }

  @Test
  void outsideOfATransactionItIsRefusedAsTheOutboxDoes() {
    Event event = Event.of(new OrderPaid("4"));
    Throwable refused = failure(() -> application.getBean(SpringOutbox.class).enqueue(event));

    assertThat(failure(() -> application.publishEvent(new OrderPaid("4"))))
        .isInstanceOf(NoTransactionException.class)
        .hasMessage(refused.getMessage())
        .hasMessageContaining("there is no transaction");
    assertThat(orders.events(4)).isZero();
  }

  private static Throwable failure(Runnable work) {
    try {
      work.run();
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Test
  void anObjectThatIsNotMarkedHasNoEffect() {
    application.publishEvent(new OrderSeen("5"));
    application.publishEvent("{}");

    assertThat(orders.events(5)).isZero();
  }

  @Test
  void afterTheCommitItIsTooLate() {
    service.see("6");

    assertThat(service.tooLate())
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("the transaction is over");
    assertThat(orders.events(6)).isZero();
  }

  @Test
  void whatCannotBeWrittenFailsThePublisher() {
    assertThatThrownBy(() -> service.pay(null))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining("OrderPaid.orderId, the @AggregateId, is null");
  }
}
