package dev.postcommit.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.store.StoredEvent;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EventRegistryTest {
  private static final String ORDER_ID = "\"orderId\":\"" + Samples.ID + "\"";

  private static void passes(EventRegistry registry, String payload) {
    assertThat(registry.violation(Samples.event(payload))).isEmpty();
  }

  private static void violates(EventRegistry registry, String payload, String problem) {
    assertThat(registry.violation(Samples.event(payload)))
        .hasValueSatisfying(text -> assertThat(text).startsWith(problem).doesNotContain("secret"));
  }

  @Test
  @DisplayName("R45: an unknown type is refused, by the check and by the router")
  void anUnknownTypeIsRefused() {
    EventRegistry registry = Samples.ofSchema("{}");
    StoredEvent event = Samples.event("order_lost", "order", "42", "{}");

    assertThat(registry.violation(event))
        .contains("event type order_lost is not in the registry; register it and replay");
    assertThatThrownBy(() -> registry.topic(event))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("order_lost is not in the registry");
  }

  @Test
  @DisplayName("R45: every type has one topic")
  void everyTypeHasOneTopic() {
    assertThat(Samples.ofSchema("{}").topic(Samples.event("{}"))).isEqualTo("orders");
  }

  @Test
  @DisplayName("R45: the aggregate id must be there and the aggregate type match")
  void theAggregateMustMatch() {
    EventRegistry registry = Samples.ofSchema("{}");

    assertThat(registry.violation(Samples.event("order_placed", "order", "42", "{}"))).isEmpty();
    assertThat(registry.violation(Samples.event("order_placed", "order", null, "{}")))
        .contains("the aggregate id is missing");
    assertThat(registry.violation(Samples.event("order_placed", "order", " ", "{}")))
        .contains("the aggregate id is missing");
    assertThat(registry.violation(Samples.event("order_placed", "store", "42", "{}")))
        .contains("the aggregate type of order_placed must be order, not store");
    assertThat(registry.violation(Samples.event("order_placed", null, "42", "{}")))
        .contains("the aggregate type of order_placed must be order, not null");
  }

  @Test
  void anEventTypeWithoutAnAggregateTypeIsNotCheckedForOne() {
    EventRegistry registry =
        Samples.registry(RegisteredEvent.builder("order_placed").topic("t").schema("{}").build());

    assertThat(registry.violation(Samples.event("order_placed", null, null, "{}"))).isEmpty();
  }

  @Test
  @DisplayName("R45: the payload must decode and not be null; {} is a payload")
  void thePayloadMustDecodeAndNotBeNull() {
    for (EventRegistry registry :
        List.of(Samples.ofClass(Samples.Placed.class), Samples.ofSchema("true"))) {
      passes(registry, "{}");
      passes(registry, " {\"unknown\":{\"a\":[1e400,null]}}\n");
      violates(registry, "null", "the payload is null");
      violates(registry, "", "the payload is empty");
      violates(registry, "{}{}", "the payload is not one JSON value (line 1, column");
      violates(registry, "secret", "the payload is not one JSON value (line 1, column");
      violates(registry, "\ufeff{}", "the payload is not one JSON value (line 1, column");
      assertThat(registry.violation(Samples.event("{\"secret"))).isPresent();
      assertThat(registry.violation(Samples.event("{\"items\":[{]}"))).isPresent();
    }
  }

  @Test
  void whatDoesNotDecodeIsNamedByItsPathAndNeverShown() {
    EventRegistry registry = Samples.ofClass(Samples.Placed.class);
    String start = "the payload does not decode into " + Samples.Placed.class.getName();

    passes(
        registry,
        "{" + ORDER_ID + ",\"items\":[{\"quantity\":1}],\"createdAt\":\"2026-03-04T05:06:07Z\"}");
    violates(registry, "{\"orderId\":\"secret\"}", start + " at orderId");
    violates(
        registry,
        "{\"items\":[{\"quantity\":1},{\"quantity\":\"secret\"}]}",
        start + " at items[1].quantity");
    violates(registry, "{\"stock\":{\"secret\":\"secret\"}}", start + " at stock.*");
    violates(registry, "{\"createdAt\":\"secret\"}", start + " at createdAt");
    violates(registry, "[\"secret\"]", start);
    violates(registry, "\"secret\"", start);
  }

  @Test
  void aClassMayRefuseWhatItCannotDoWithout() {
    EventRegistry registry = Samples.ofClass(Samples.Strict.class);

    passes(registry, "{\"name\":\"x\"}");
    violates(registry, "{}", "the payload does not decode into " + Samples.Strict.class.getName());
  }

  @Test
  void whatBreaksTheSchemaIsNamedByItsPlaceThereAndNeverShown() {
    EventRegistry registry = Samples.ofSchema(Samples.PLACED_SCHEMA);
    String start = "the payload breaks its schema at ";

    passes(registry, "{" + ORDER_ID + ",\"items\":[{\"quantity\":1}],\"note\":null,\"more\":1}");
    violates(registry, "{" + ORDER_ID + "}", start + "/required: items is missing");
    violates(registry, "[\"secret\"]", start + "/type");
    violates(
        registry, "{\"orderId\":\"secret\",\"items\":[]}", start + "/properties/orderId/format");
    violates(
        registry,
        "{" + ORDER_ID + ",\"items\":[],\"status\":\"secret\"}",
        start + "/properties/status/enum");
    violates(
        registry,
        "{" + ORDER_ID + ",\"items\":[],\"note\":\"secret!\"}",
        start + "/properties/note/pattern");
    violates(
        registry,
        "{" + ORDER_ID + ",\"items\":[{\"quantity\":1},{\"quantity\":0}]}",
        start + "/properties/items/items/$ref/properties/quantity/minimum");
    violates(
        registry,
        "{" + ORDER_ID + ",\"items\":[{}]}",
        start + "/properties/items/items/$ref/required: quantity is missing");
  }

  @Test
  void namesThatOnlyThePayloadKnowsStayHidden() {
    violates(
        Samples.ofSchema("{\"additionalProperties\":false}"),
        "{\"secret\":1}",
        "the payload breaks its schema at /additionalProperties");
    violates(
        Samples.ofSchema("{\"additionalProperties\":{\"type\":\"string\"}}"),
        "{\"secret\":1}",
        "the payload breaks its schema at /additionalProperties/type");
  }

  @Test
  void numbersAreCheckedExactly() {
    passes(Samples.ofSchema("{\"type\":\"integer\"}"), "1e400");
    passes(Samples.ofSchema("{\"multipleOf\":0.01}"), "12345678901234567890.12");
    for (String number : List.of("1e-400", "12345678901234567890.123456789")) {
      violates(
          Samples.ofSchema("{\"type\":\"integer\"}"),
          number,
          "the payload breaks its schema at /type");
    }
    violates(
        Samples.ofSchema("{\"enum\":[1,2]}"), "1e400", "the payload breaks its schema at /enum");
    for (String number : List.of("1e999999999", "[-1.5e-999999999]")) {
      violates(
          Samples.ofSchema("{\"enum\":[1,2]}"),
          number,
          "the payload holds a number too large or too small to be checked");
    }
  }

  @Test
  void aClassAndASchemaMustBothBeSatisfied() {
    EventRegistry registry =
        Samples.registry(
            Samples.contract()
                .payload(Samples.Placed.class)
                .schema("{\"required\":[\"items\"]}")
                .build());

    passes(registry, "{\"items\":[{\"quantity\":3}]}");
    violates(registry, "{}", "the payload breaks its schema at /required: items is missing");
    violates(
        registry,
        "{\"items\":[{\"quantity\":\"secret\"}]}",
        "the payload does not decode into " + Samples.Placed.class.getName() + " at items");
  }

  @Test
  @DisplayName("R31, R45: of a stored envelope the data is checked, and that its id is the row's")
  void storedEnvelopesAreOpened() {
    for (RegisteredEvent event :
        List.of(
            Samples.contract().schema("{\"required\":[\"items\"]}").build(),
            Samples.contract().payload(Samples.Placed.class).build())) {
      EventRegistry registry =
          EventRegistry.builder().payloads(PayloadForm.STORED_ENVELOPE).event(event).build();

      passes(registry, Samples.envelope(Samples.ID, "{\"items\":[]}"));
      violates(
          registry,
          Samples.envelope("secret", "{\"items\":[]}"),
          "the payload is not a stored envelope: eventId is not the id of its row");
      violates(
          registry,
          Samples.envelope(Samples.ID, "null"),
          "the payload is not a stored envelope: data is not there");
      violates(registry, "{\"items\":[]}", "the payload is not a stored envelope: version");
      violates(
          registry,
          Samples.envelope(Samples.ID, "{\"items\":[]}") + "1",
          "the payload is not one JSON value");
    }
  }

  @Test
  void theDataOfAStoredEnvelopeKeepsItsContract() {
    EventRegistry registry =
        EventRegistry.builder()
            .payloads(PayloadForm.STORED_ENVELOPE)
            .event(Samples.contract().payload(Samples.Placed.class).build())
            .build();

    violates(
        registry,
        Samples.envelope(Samples.ID, "{\"items\":\"secret\"}"),
        "the payload does not decode into " + Samples.Placed.class.getName() + " at items");
  }

  @Test
  void aDeeplyNestedPayloadIsAViolationAndNoError() {
    EventRegistry registry = Samples.ofSchema("{\"items\":{\"$ref\":\"#\"}}");
    int depth = 900;

    registry.violation(Samples.event("[".repeat(depth) + "]".repeat(depth)));
    violates(registry, "[".repeat(5000) + "]".repeat(5000), "the payload is not one JSON value");
  }

  @Test
  void manyThreadsMayUseOneRegistry() {
    EventRegistry registry = Samples.ofSchema(Samples.PLACED_SCHEMA);
    AtomicInteger violations = new AtomicInteger();

    IntStream.range(0, 4000)
        .parallel()
        .forEach(
            i -> {
              String payload = "{" + ORDER_ID + ",\"items\":[{\"quantity\":" + i % 2 + "}]}";
              registry
                  .violation(Samples.event(payload))
                  .ifPresent(v -> violations.incrementAndGet());
            });

    assertThat(violations).hasValue(2000);
  }
}
