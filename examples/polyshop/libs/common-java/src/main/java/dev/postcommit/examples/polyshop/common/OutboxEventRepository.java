package dev.postcommit.examples.polyshop.common;

import java.util.UUID;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** The outbox of a service. Events are added to it, and nothing else. */
public interface OutboxEventRepository extends Repository<OutboxEvent, UUID> {

  /**
   * Writes the event in the present transaction; after its commit the event is delivered, at least
   * once.
   *
   * @throws org.springframework.transaction.IllegalTransactionStateException if there is none: an
   *     event of its own would speak of a change that may never be committed
   */
  @Transactional(propagation = Propagation.MANDATORY)
  OutboxEvent save(OutboxEvent event);
}
