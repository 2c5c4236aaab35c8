package dev.postcommit.examples.polyshop.order;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** The orders. */
interface OrderRepository extends Repository<Order, UUID> {

  Order save(Order order);

  Optional<Order> findById(UUID id);

  Optional<Order> findByIdempotencyKey(String idempotencyKey);

  /** An order that nobody else changes until the transaction has ended. */
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("SELECT o FROM Order o WHERE o.id = ?1")
  Optional<Order> lock(UUID id);
}
