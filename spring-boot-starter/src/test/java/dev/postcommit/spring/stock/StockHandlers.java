package dev.postcommit.spring.stock;

import dev.postcommit.spring.consumer.EventContext;
import dev.postcommit.spring.consumer.EventHandler;
import org.springframework.stereotype.Component;

/** The event handlers of {@code docs/spring.md}. */
@Component
class StockHandlers {
  private final StockRepository stock;

  StockHandlers(StockRepository stock) {
    this.stock = stock;
  }

  @EventHandler("order.placed")
  void reserve(OrderPlaced order, EventContext event) {
    stock.reserve(event.id(), order.item(), order.quantity());
  }
}
