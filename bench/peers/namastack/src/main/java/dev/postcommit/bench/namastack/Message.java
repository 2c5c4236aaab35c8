package dev.postcommit.bench.namastack;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.postcommit.bench.contender.BenchEvent;

/** What a service tells of an event: as JSON it is the event's body. */
@JsonPropertyOrder({"n", "pad"})
record Message(String n, String pad) {

  static Message of(BenchEvent event) {
    return new Message(event.n(), event.pad());
  }
}
