package dev.postcommit.examples.polyshop.inventory;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.repository.Repository;

/** The stock of all products. */
interface StockRepository extends Repository<Stock, UUID> {

  Stock save(Stock stock);

  Optional<Stock> findById(UUID productId);

  /** The stock of a product, which nobody else changes until the transaction has ended. */
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  Optional<Stock> findByProductId(UUID productId);
}
