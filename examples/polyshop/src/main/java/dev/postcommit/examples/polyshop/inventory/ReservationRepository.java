package dev.postcommit.examples.polyshop.inventory;

import java.util.List;
import java.util.UUID;
import org.springframework.data.repository.Repository;

/** The reservations. */
interface ReservationRepository extends Repository<Reservation, UUID> {

  Reservation save(Reservation reservation);

  List<Reservation> findByOrderIdOrderByProductId(UUID orderId);
}
