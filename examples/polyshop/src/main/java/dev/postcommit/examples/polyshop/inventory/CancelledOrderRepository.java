package dev.postcommit.examples.polyshop.inventory;

import java.util.UUID;
import org.springframework.data.repository.Repository;

/** The cancelled orders. */
interface CancelledOrderRepository extends Repository<CancelledOrder, UUID> {

  CancelledOrder save(CancelledOrder order);

  boolean existsById(UUID orderId);
}
