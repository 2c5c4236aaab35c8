package dev.postcommit.examples.polyshop.order;

import dev.postcommit.examples.polyshop.common.DomainEventFactory;
import dev.postcommit.examples.polyshop.common.OutboxEventRepository;
import dev.postcommit.examples.polyshop.common.TraceContext;
import dev.postcommit.examples.polyshop.events.OrderCancelled;
import dev.postcommit.examples.polyshop.events.OrderPlaced;
import dev.postcommit.examples.polyshop.events.Topics;
import dev.postcommit.examples.polyshop.order.Order.Status;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes and cancels orders. */
@Service
class OrderService {
  private static final Logger log = LoggerFactory.getLogger(OrderService.class);

  private final OrderRepository orders;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  OrderService(OrderRepository orders, DomainEventFactory events, OutboxEventRepository outbox) {
    this.orders = orders;
    this.events = events;
    this.outbox = outbox;
  }

  /**
   * Places an order: the order, its items and the event are one transaction. A request that was
   * answered before, by its idempotency key, is answered again and changes nothing.
   */
  @Transactional
  public Order place(UUID userId, List<OrderItem> items, String currency) {
    @Nullable String key = TraceContext.current().idempotencyKey();
    Optional<Order> before = placed(key);
    return before.isPresent() ? before.get() : create(userId, items, currency, key);
  }

  /** The order that was placed with a key, if there is one. */
  @Transactional(readOnly = true)
  public Optional<Order> placed(@Nullable String idempotencyKey) {
    return idempotencyKey == null ? Optional.empty() : orders.findByIdempotencyKey(idempotencyKey);
  }

  private Order create(
      UUID userId, List<OrderItem> items, String currency, @Nullable String idempotencyKey) {
    Order order =
        orders.save(
            new Order(UUID.randomUUID(), userId, items, currency, idempotencyKey, Instant.now()));
    outbox.save(events.create(Topics.ORDER_PLACED, order.id(), placed(order)));
    log.info("order {} placed", order.id());
    return order;
  }

  private static OrderPlaced placed(Order order) {
    List<OrderPlaced.Item> items =
        order.items().stream()
            .map(item -> new OrderPlaced.Item(item.productId(), item.variantId(), item.quantity()))
            .toList();
    return new OrderPlaced(
        order.id(),
        order.userId(),
        items,
        order.totalAmount(),
        order.currency(),
        order.createdAt());
  }

  @Transactional(readOnly = true)
  public Optional<Order> find(UUID id) {
    return orders.findById(id);
  }

  /** Cancels an order, unless it is paid; the order as it is then, if there is one. */
  @Transactional
  public Optional<Order> cancel(UUID id, String reason) {
    Optional<Order> order = orders.lock(id);
    order.filter(OrderService::mayBeCancelled).ifPresent(open -> cancel(open, reason));
    return order;
  }

  private static boolean mayBeCancelled(Order order) {
    return order.status() == Status.CREATED || order.status() == Status.PENDING_PAYMENT;
  }

  private void cancel(Order order, String reason) {
    order.becomes(Status.CANCELLED);
    outbox.save(
        events.create(
            Topics.ORDER_CANCELLED,
            order.id(),
            new OrderCancelled(order.id(), reason, Instant.now())));
    log.info("order {} cancelled", order.id());
  }
}
