package dev.postcommit.examples.polyshop.analytics;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.repository.Repository;

/** The counts. */
interface EventCounts extends Repository<EventCount, String> {

  EventCount save(EventCount count);

  @Lock(LockModeType.PESSIMISTIC_WRITE)
  Optional<EventCount> findByEventType(String eventType);
}
