package dev.postcommit.bench.modulith;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.postcommit.bench.contender.BenchEvent;

/**
 * What a service publishes.
 *
 * @param key the message's key
 * @param message the message's body
 */
record Placed(String key, Message message) {

  static Placed of(BenchEvent event) {
    return new Placed(event.key(), Message.of(event));
  }

  /** What others get to know: as JSON it is the event's body. */
  @JsonPropertyOrder({"n", "pad"})
  record Message(String n, String pad) {

    private static Message of(BenchEvent event) {
      return new Message(event.n(), event.pad());
    }
  }
}
