package dev.postcommit.examples.polyshop.inventory;

import dev.postcommit.examples.polyshop.common.DomainEventFactory;
import dev.postcommit.examples.polyshop.common.OutboxEventRepository;
import dev.postcommit.examples.polyshop.events.StockConfirmed;
import dev.postcommit.examples.polyshop.events.StockMovement;
import dev.postcommit.examples.polyshop.events.StockReleased;
import dev.postcommit.examples.polyshop.events.StockReserved;
import dev.postcommit.examples.polyshop.events.Topics;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Writes the events of the inventory, whose key is the product. */
@Component
class InventoryEvents {
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  InventoryEvents(DomainEventFactory events, OutboxEventRepository outbox) {
    this.events = events;
    this.outbox = outbox;
  }

  void moved(UUID productId, @Nullable UUID variantId, int delta, String reason) {
    emit(
        Topics.STOCK_MOVEMENT,
        productId,
        new StockMovement(UUID.randomUUID(), productId, variantId, delta, reason, Instant.now()));
  }

  void reserved(Reservation it) {
    emit(
        Topics.STOCK_RESERVED,
        it.productId(),
        new StockReserved(
            it.id(), it.orderId(), it.productId(), it.variantId(), it.quantity(), Instant.now()));
  }

  void confirmed(Reservation it) {
    emit(
        Topics.STOCK_CONFIRMED,
        it.productId(),
        new StockConfirmed(
            it.id(), it.orderId(), it.productId(), it.variantId(), it.quantity(), Instant.now()));
  }

  void released(Reservation it, String reason) {
    emit(
        Topics.STOCK_RELEASED,
        it.productId(),
        new StockReleased(
            it.id(),
            it.orderId(),
            it.productId(),
            it.variantId(),
            it.quantity(),
            Instant.now(),
            reason));
  }

  private void emit(String type, UUID productId, Object data) {
    outbox.save(events.create(type, productId, data));
  }
}
