package dev.postcommit.examples.polyshop.order;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.examples.polyshop.common.DomainEventFactory;
import dev.postcommit.examples.polyshop.common.OutboxEventRepository;
import dev.postcommit.examples.polyshop.common.Subscriber;
import dev.postcommit.examples.polyshop.common.Subscriptions;
import dev.postcommit.examples.polyshop.events.OrderPaid;
import dev.postcommit.examples.polyshop.events.PaymentSucceeded;
import dev.postcommit.examples.polyshop.events.StockReserved;
import dev.postcommit.examples.polyshop.events.Topics;
import dev.postcommit.examples.polyshop.order.Order.Status;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Takes orders forward when others have done their part. */
@Component
class OrderProgress implements Subscriber {
  private static final Logger log = LoggerFactory.getLogger(OrderProgress.class);

  private final OrderRepository orders;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  OrderProgress(OrderRepository orders, DomainEventFactory events, OutboxEventRepository outbox) {
    this.orders = orders;
    this.events = events;
    this.outbox = outbox;
  }

  @Override
  public void subscribe(Subscriptions subscriptions) {
    subscriptions
        .on(Topics.STOCK_RESERVED, StockReserved.class, event -> reserved(event.data()))
        .on(Topics.PAYMENT_SUCCEEDED, PaymentSucceeded.class, event -> paid(event.data()));
  }

  /** One of several items may be the first to be heard of, and the payment even before. */
  private void reserved(StockReserved stock) {
    Order order = order(stock.orderId());
    if (order.status() == Status.CREATED) {
      order.becomes(Status.PENDING_PAYMENT);
      log.info("order {} waits for its payment", order.id());
    }
  }

  private void paid(PaymentSucceeded payment) {
    Order order = order(payment.orderId());
    if (order.status() == Status.CANCELLED) {
      log.warn(
          "order {} was cancelled: payment {} is to be refunded", order.id(), payment.paymentId());
      return;
    }
    if (order.status() == Status.PAID) {
      return;
    }
    order.becomes(Status.PAID);
    outbox.save(
        events.create(
            Topics.ORDER_PAID,
            order.id(),
            new OrderPaid(
                order.id(),
                order.userId(),
                payment.paymentId(),
                order.totalAmount(),
                order.currency(),
                Instant.now())));
    log.info("order {} paid", order.id());
  }

  private Order order(UUID id) {
    return orders
        .lock(id)
        .orElseThrow(
            () -> new PermanentFailureException("Validation failed: order not found: " + id));
  }
}
