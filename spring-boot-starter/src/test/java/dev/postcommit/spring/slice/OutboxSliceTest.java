package dev.postcommit.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.AggregateId;
import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.NoTransactionException;
import dev.postcommit.spring.SpringOutbox;
import dev.postcommit.spring.test.OutboxTest;
import dev.postcommit.spring.test.RecordingOutbox;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The slice for services that write events: no database, no broker, no component but theirs. */
@OutboxTest
@Import({
  OutboxSliceTest.Refunds.class,
  OutboxSliceTest.Journal.class,
  OutboxSliceTest.Cancellations.class
})
@TestPropertySource(properties = "spring.jackson.property-naming-strategy=SNAKE_CASE")
class OutboxSliceTest {
  @Autowired ApplicationContext application;
  @Autowired Refunds refunds;
  @Autowired Cancellations cancellations;
  @Autowired RecordingOutbox outbox;
  @Autowired PlatformTransactionManager manager;

  /** A service that is tested. */
  static class Refunds {
    private final SpringOutbox outbox;
    private final Journal journal;

    Refunds(SpringOutbox outbox, Journal journal) {
      this.outbox = outbox;
      this.journal = journal;
    }

    @Transactional
    public void refund(String order, int amount) {
      outbox.enqueue(
          Event.builder("order.refunded").aggregate("order", order).json("" + amount).build());
      journal.note(order);
      if (amount < 0) {
        throw new IllegalArgumentException("no such amount: " + amount);
      }
    }

    public void refundWithoutTransaction(String order) {
      outbox.enqueue(Event.builder("order.refunded").aggregate("order", order).json("1").build());
    }
  }

  @EventType("order.cancelled")
  record OrderCancelled(@AggregateId String orderId, int refundDue) {}

  @EventType("stock.released")
  record StockReleased(@AggregateId String orderId) {}

  /** A service that publishes application events, and one in response to another. */
  static class Cancellations {
    private final ApplicationEventPublisher events;

    Cancellations(ApplicationEventPublisher events) {
      this.events = events;
    }

    @Transactional
    public void cancel(String order, int refundDue) {
      events.publishEvent(new OrderCancelled(order, refundDue));
      if (refundDue < 0) {
        throw new IllegalArgumentException("no such amount: " + refundDue);
      }
    }

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE + 1)
    StockReleased releaseStock(OrderCancelled event) {
      return new StockReleased(event.orderId());
    }
  }

  @Test
  void whatIsPublishedWasWrittenBeforeWhatItCauses() {
    cancellations.cancel("42", 10);

    assertThat(outbox).wroteOnly("order.cancelled", "stock.released");
    assertThat(outbox)
        .wrote("order.cancelled")
        .withKey("42")
        .withJson("{\"order_id\": \"42\", \"refund_due\": 10}");
  }

  @Test
  void whatIsPublishedIsRolledBackToo() {
    assertThatThrownBy(() -> cancellations.cancel("42", -1)).hasMessageContaining("-1");

    assertThat(outbox).wroteNothing();
  }

  @Test
  void whatIsPublishedWithoutTransactionIsRefused() {
    assertThatThrownBy(() -> application.publishEvent(new StockReleased("42")))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("there is no transaction");

    assertThat(outbox).wroteNothing();
  }

  /** Another, which has a transaction of its own. */
  static class Journal {
    private final SpringOutbox outbox;

    Journal(SpringOutbox outbox) {
      this.outbox = outbox;
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void note(String order) {
      outbox.enqueue(Event.builder("order.noted").key(order).json("{}").build());
    }
  }

  @Test
  void whatIsCommittedWasWritten() {
    refunds.refund("42", 10);

    assertThat(outbox).wrote("order.refunded").withKey("42").withJson("10");
    assertThat(outbox).wroteOnly("order.noted", "order.refunded");
  }

  @Test
  void whatIsRolledBackWasNot() {
    assertThatThrownBy(() -> refunds.refund("42", -1)).hasMessageContaining("-1");

    assertThat(outbox).wroteOnly("order.noted");
  }

  @Test
  void oneWhoJoinsAndFailsDoomsTheTransaction() {
    TransactionTemplate template = new TransactionTemplate(manager);
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status ->
                        assertThatThrownBy(() -> refunds.refund("42", -1))
                            .isInstanceOf(IllegalArgumentException.class)))
        .isInstanceOf(UnexpectedRollbackException.class);

    assertThat(outbox).wroteOnly("order.noted");
  }

  @Test
  void withoutTransactionItIsRefused() {
    assertThatThrownBy(() -> refunds.refundWithoutTransaction("42"))
        .isInstanceOf(NoTransactionException.class);

    assertThat(outbox).wroteNothing();
  }

  @Test
  void thereIsNothingElse() {
    assertThat(application.getBeanNamesForType(DataSource.class)).isEmpty();
    assertThat(application.getBeanNamesForType(NeedsADatabase.class)).isEmpty();
    assertThat(application.getBeanNamesForType(SpringOutbox.class)).hasSize(1);
  }

  /** As docs/spring/tests.md has it. */
  @Nested
  @OutboxTest
  @Import({Refunds.class, Journal.class})
  class RefundsTest {
    @Autowired Refunds refunds;
    @Autowired RecordingOutbox outbox;

    @Test
    void aRefundWritesAnEvent() {
      refunds.refund("42", 10);

      assertThat(outbox).wrote("order.refunded").withKey("42").withJson("10");
    }
  }
}
