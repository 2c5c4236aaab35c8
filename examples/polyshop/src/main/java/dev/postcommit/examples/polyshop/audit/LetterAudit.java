package dev.postcommit.examples.polyshop.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postcommit.examples.polyshop.audit.PlacedOrder.Kind;
import dev.postcommit.examples.polyshop.events.Topics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Orders of unknown products, and nothing else, are dead letters of inventory-service. */
record LetterAudit(Plan plan, Snapshot snapshot) {
  private static final String TOPIC = Topics.ORDER_PLACED + ".dlt";

  void run(List<String> findings) {
    Map<String, ShopEvent> events = new HashMap<>();
    snapshot.events().forEach(event -> events.put(event.eventId(), event));
    Set<UUID> dead = new HashSet<>();
    for (ShopEvent letter : snapshot.letters()) {
      UUID orderId = orderOf(letter, events);
      if (orderId == null) {
        findings.add(
            "a letter of %s is not as it should be: %s"
                .formatted(letter.topic(), letter.text("errorMessage")));
      } else {
        dead.add(orderId);
      }
    }
    Set<UUID> expected = new HashSet<>();
    plan.orders(Kind.UNKNOWN_PRODUCT).forEach(order -> expected.add(order.orderId()));
    if (!dead.equals(expected)) {
      findings.add(
          "%d orders of unknown products are dead letters, not %d"
              .formatted(dead.size(), expected.size()));
    }
  }

  /** The order that a letter is about, or null if it is not such a letter. */
  private static @Nullable UUID orderOf(ShopEvent letter, Map<String, ShopEvent> events) {
    JsonNode original = letter.body().path("originalEvent");
    ShopEvent event = events.get(letter.eventId());
    if (event == null) {
      return null;
    }
    boolean asContract =
        letter.topic().equals(TOPIC)
            && original.equals(event.body())
            && letter.text("consumerService").equals("inventory-service")
            && letter.text("errorMessage").contains("Validation failed: product not found")
            && !letter.text("failedAt").isEmpty();
    return asContract ? event.orderId() : null;
  }
}
