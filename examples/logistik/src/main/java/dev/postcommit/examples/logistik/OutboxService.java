package dev.postcommit.examples.logistik;

import dev.postcommit.Event;
import dev.postcommit.spring.SpringOutbox;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** The outbox in the words of Logistik; it is part of whatever transaction it is called in. */
@Service
class OutboxService {
  private final SpringOutbox outbox;

  OutboxService(SpringOutbox outbox) {
    this.outbox = outbox;
  }

  /** Records what happened to an aggregate; the answer is the {@code messageId} of consumers. */
  UUID record(String aggregateType, UUID aggregateId, String eventType, String payload) {
    return outbox
        .enqueue(
            Event.builder(eventType).aggregate(aggregateType, aggregateId).json(payload).build())
        .id();
  }
}
