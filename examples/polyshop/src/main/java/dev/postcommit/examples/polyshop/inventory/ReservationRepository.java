package dev.postcommit.examples.polyshop.inventory;

import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** The reservations. */
interface ReservationRepository extends Repository<Reservation, UUID> {

  Reservation save(Reservation reservation);

  /** Has others who handle an event of this order wait until the transaction has ended. */
  @Query(
      nativeQuery = true,
      value = "SELECT CAST(pg_advisory_xact_lock(hashtextextended(CAST(?1 AS text), 0)) AS text)")
  String lockOrder(UUID orderId);

  List<Reservation> findByOrderIdOrderByProductId(UUID orderId);
}
