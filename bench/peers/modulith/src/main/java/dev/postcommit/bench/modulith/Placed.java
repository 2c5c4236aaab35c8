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
  @JsonPropertyOrder({"run", "n", "pad"})
  record Message(int run, int n, String pad) {
    private static final String PAD = "\"pad\":\"";

    private static Message of(BenchEvent event) {
      String body = event.body();
      String pad = body.substring(body.indexOf(PAD) + PAD.length(), body.length() - 2);
      return new Message(event.run(), event.n(), pad);
    }
  }
}
