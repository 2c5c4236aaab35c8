package dev.postcommit.pubsub.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PubSubDeadLetterMessagesTest {
  private static DeadLetter letter(String key, Map<String, String> headers, String errorClass) {
    ReceivedMessage message =
        new ReceivedMessage(
            "orders", key, headers, "{}".getBytes(UTF_8), Map.of("message_id", "7"));
    return new DeadLetter(
        "id-1", "order.placed", message, "broken", errorClass, 2, Instant.EPOCH, "inventory");
  }

  private static Map<String, String> attributes(DeadLetter letter) {
    return PubSubDeadLetterMessages.of(letter).getAttributesMap();
  }

  @Test
  void keepsKeyAndAttributesAndReplacesThoseOfALetter() {
    DeadLetter letter = letter("a", Map.of("trace", "1", "dlt_attempts", "9"), "Error");
    assertThat(PubSubDeadLetterMessages.of(letter).getOrderingKey()).isEqualTo("a");
    assertThat(PubSubDeadLetterMessages.of(letter).getData().toByteArray())
        .isEqualTo(letter.body());
    assertThat(attributes(letter))
        .containsEntry("trace", "1")
        .containsEntry("dlt_attempts", "2")
        .containsEntry("dlt_original_message_id", "7")
        .containsEntry("event_type", "order.placed");
    assertThat(PubSubDeadLetterMessages.of(letter(null, Map.of(), "Error")).getOrderingKey())
        .isEmpty();
  }

  @Test
  void leavesOutWhatOnlyGoogleMaySend() {
    assertThat(attributes(letter("a", Map.of("googclient_deliveryattempt", "3"), "Error")))
        .doesNotContainKey("googclient_deliveryattempt");
  }

  @Test
  void cutsLongValuesBetweenCharacters() {
    String cut = attributes(letter("a", Map.of(), "x" + "ä".repeat(600))).get("dlt_error_class");
    assertThat(cut).isEqualTo("x" + "ä".repeat(511));
    String fits = "ä".repeat(512);
    assertThat(attributes(letter("a", Map.of(), fits))).containsEntry("dlt_error_class", fits);
  }

  @Test
  void leavesOutItsOwnWhenThereAreTooMany() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 98; i++) {
      many.put("a" + i, "x");
    }
    assertThat(attributes(letter("a", many, "Error")))
        .hasSize(100)
        .containsAllEntriesOf(many)
        .containsEntry("dlt_original_encoding", "json");
  }
}
