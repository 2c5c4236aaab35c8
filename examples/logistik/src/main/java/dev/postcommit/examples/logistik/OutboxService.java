package dev.postcommit.examples.logistik;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postcommit.Event;
import dev.postcommit.spring.SpringOutbox;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** The outbox in the words of Logistik; it is part of whatever transaction it is called in. */
@Service
class OutboxService {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final SpringOutbox outbox;

  OutboxService(SpringOutbox outbox) {
    this.outbox = outbox;
  }

  /**
   * Records what happened to an aggregate.
   *
   * @param data becomes the JSON of the event
   * @return the {@code messageId} of consumers
   */
  UUID record(String aggregateType, UUID aggregateId, String eventType, Record data) {
    return outbox
        .enqueue(
            Event.builder(eventType).aggregate(aggregateType, aggregateId).json(json(data)).build())
        .id();
  }

  private static String json(Record data) {
    try {
      return JSON.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON can be made of a " + data.getClass(), e);
    }
  }
}
