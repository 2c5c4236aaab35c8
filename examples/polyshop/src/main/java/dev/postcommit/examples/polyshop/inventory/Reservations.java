package dev.postcommit.examples.polyshop.inventory;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.examples.polyshop.common.Subscriber;
import dev.postcommit.examples.polyshop.common.Subscriptions;
import dev.postcommit.examples.polyshop.events.OrderCancelled;
import dev.postcommit.examples.polyshop.events.OrderPaid;
import dev.postcommit.examples.polyshop.events.OrderPlaced;
import dev.postcommit.examples.polyshop.events.OrderPlaced.Item;
import dev.postcommit.examples.polyshop.events.Topics;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sets stock aside for orders.
 *
 * <p>It confirms when order-service says that an order is paid, not when payment-service says so:
 * of an order that is paid and cancelled at the same time, one service has to decide. Events of an
 * order come from several topics, so whoever handles one locks the order first.
 */
@Component
class Reservations implements Subscriber {
  private static final Logger log = LoggerFactory.getLogger(Reservations.class);

  private final StockRepository stock;
  private final ReservationRepository reservations;
  private final CancelledOrderRepository cancelled;
  private final InventoryEvents events;

  Reservations(
      StockRepository stock,
      ReservationRepository reservations,
      CancelledOrderRepository cancelled,
      InventoryEvents events) {
    this.stock = stock;
    this.reservations = reservations;
    this.cancelled = cancelled;
    this.events = events;
  }

  @Override
  public void subscribe(Subscriptions subscriptions) {
    subscriptions
        .on(Topics.ORDER_PLACED, OrderPlaced.class, event -> reserve(event.data()))
        .on(Topics.ORDER_PAID, OrderPaid.class, event -> confirm(event.data().orderId()))
        .on(Topics.ORDER_CANCELLED, OrderCancelled.class, event -> release(event.data()));
  }

  /** All that was ordered, or nothing. */
  void reserve(OrderPlaced order) {
    var unused = reservations.lockOrder(order.orderId());
    if (cancelled.existsById(order.orderId())) {
      log.info("order {} was cancelled before anything was reserved", order.orderId());
      return;
    }
    // Everybody locks products in this order.
    List<Item> items =
        order.items().stream().sorted(Comparator.comparing(Item::productId)).toList();
    for (Item item : items) {
      stock(item.productId()).reserve(item.quantity());
      Reservation reservation =
          reservations.save(
              new Reservation(
                  UUID.randomUUID(),
                  order.orderId(),
                  item.productId(),
                  item.variantId(),
                  item.quantity()));
      events.reserved(reservation);
      events.moved(item.productId(), item.variantId(), -item.quantity(), "RESERVED");
    }
    log.info("stock reserved for order {}", order.orderId());
  }

  private void confirm(UUID orderId) {
    var unused = reservations.lockOrder(orderId);
    for (Reservation reservation : open(orderId)) {
      stock(reservation.productId()).confirm(reservation.quantity());
      reservation.end(Reservation.Status.CONFIRMED);
      events.confirmed(reservation);
    }
    log.info("stock of order {} confirmed", orderId);
  }

  void release(OrderCancelled order) {
    var unused = reservations.lockOrder(order.orderId());
    cancelled.save(new CancelledOrder(order.orderId()));
    for (Reservation reservation : open(order.orderId())) {
      stock(reservation.productId()).release(reservation.quantity());
      reservation.end(Reservation.Status.RELEASED);
      events.released(reservation, order.reason());
      events.moved(
          reservation.productId(), reservation.variantId(), reservation.quantity(), "RELEASED");
    }
    log.info("stock of order {} released", order.orderId());
  }

  private List<Reservation> open(UUID orderId) {
    return reservations.findByOrderIdOrderByProductId(orderId).stream()
        .filter(Reservation::isOpen)
        .toList();
  }

  private Stock stock(UUID productId) {
    return stock
        .findByProductId(productId)
        .orElseThrow(
            () ->
                new PermanentFailureException(
                    "Validation failed: product not found: " + productId));
  }
}
