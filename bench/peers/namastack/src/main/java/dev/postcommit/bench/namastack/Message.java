package dev.postcommit.bench.namastack;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.postcommit.bench.contender.BenchEvent;

/** What a service tells of an event: as JSON it is the event's body. */
@JsonPropertyOrder({"run", "n", "pad"})
record Message(int run, int n, String pad) {
  private static final String PAD = "\"pad\":\"";

  static Message of(BenchEvent event) {
    String body = event.body();
    String pad = body.substring(body.indexOf(PAD) + PAD.length(), body.length() - 2);
    return new Message(event.run(), event.n(), pad);
  }
}
