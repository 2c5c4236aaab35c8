package dev.postcommit.bench.consume;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Fills the topic with events as a relay sends them. */
final class EventTopic {
  /** The type of all events. */
  static final String TYPE = "bench.happened";

  private EventTopic() {}

  static void fill(Servers servers, int events, int bytes, int keys) {
    byte[] body = ("{\"pad\":\"" + "x".repeat(bytes) + "\"}").getBytes(StandardCharsets.UTF_8);
    List<CompletionStage<Delivery>> deliveries = new ArrayList<>();
    try (KafkaPublisher publisher = servers.publisher()) {
      for (int n = 0; n < events; n++) {
        String key = Integer.toString(n % keys);
        Map<String, String> headers =
            Map.of(
                "event_id",
                UuidCreator.getTimeOrderedEpoch().toString(),
                "event_type",
                TYPE,
                "aggregate_type",
                "thing",
                "aggregate_id",
                key,
                "created_at",
                "2026-01-01T00:00:00Z");
        deliveries.add(publisher.send(new Message(Servers.TOPIC, key, headers, body)));
      }
      for (CompletionStage<Delivery> delivery : deliveries) {
        Delivery outcome = delivery.toCompletableFuture().join();
        if (!outcome.equals(Delivery.DELIVERED)) {
          throw new IllegalStateException("the topic could not be filled: " + outcome);
        }
      }
    }
  }
}
