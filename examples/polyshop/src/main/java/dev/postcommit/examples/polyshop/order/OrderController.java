package dev.postcommit.examples.polyshop.order;

import dev.postcommit.examples.polyshop.common.TraceContext;
import dev.postcommit.examples.polyshop.order.Order.Status;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /orders}, {@code GET /orders/{id}}, {@code POST /orders/{id}/cancel}. */
@RestController
class OrderController {
  private final OrderService orders;

  OrderController(OrderService orders) {
    this.orders = orders;
  }

  record NewOrder(UUID userId, List<NewItem> items, String currency) {

    /** Refuses an order of nobody or of nothing. */
    NewOrder {
      Objects.requireNonNull(userId, "userId");
      Objects.requireNonNull(currency, "currency");
      if (items == null || items.isEmpty()) {
        throw new IllegalArgumentException("an order needs items");
      }
      items = List.copyOf(items);
    }
  }

  record NewItem(UUID productId, @Nullable UUID variantId, int quantity, BigDecimal unitPrice) {

    /** Refuses what is missing. */
    NewItem {
      Objects.requireNonNull(productId, "productId");
      Objects.requireNonNull(unitPrice, "unitPrice");
    }

    OrderItem item() {
      return OrderItem.of(productId, variantId, quantity, unitPrice);
    }
  }

  record View(UUID orderId, Status status, BigDecimal totalAmount) {
    static View of(Order order) {
      return new View(order.id(), order.status(), order.totalAmount());
    }
  }

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  View place(@RequestBody NewOrder order) {
    List<OrderItem> items = order.items().stream().map(NewItem::item).toList();
    try {
      return View.of(orders.place(order.userId(), items, order.currency()));
    } catch (DataIntegrityViolationException e) {
      // The same request came twice at the same time; the other was quicker.
      return orders
          .placed(TraceContext.current().idempotencyKey())
          .map(View::of)
          .orElseThrow(() -> e);
    }
  }

  @GetMapping("/orders/{id}")
  ResponseEntity<View> find(@PathVariable("id") UUID id) {
    return ResponseEntity.of(orders.find(id).map(View::of));
  }

  /** Answers with a conflict if the order is paid. */
  @PostMapping("/orders/{id}/cancel")
  ResponseEntity<View> cancel(@PathVariable("id") UUID id) {
    return orders
        .cancel(id, "by the customer")
        .map(
            order ->
                ResponseEntity.status(
                        order.status() == Status.CANCELLED ? HttpStatus.OK : HttpStatus.CONFLICT)
                    .body(View.of(order)))
        .orElseGet(() -> ResponseEntity.notFound().build());
  }

  @ExceptionHandler
  ResponseEntity<String> refuse(IllegalArgumentException e) {
    return ResponseEntity.badRequest().body(e.getMessage());
  }
}
