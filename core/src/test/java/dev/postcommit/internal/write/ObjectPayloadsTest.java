package dev.postcommit.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.AggregateId;
import dev.postcommit.AggregateType;
import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.InvalidEventException;
import dev.postcommit.InvalidPayloadException;
import dev.postcommit.Payload;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How an outbox serialises objects, and what it refuses. */
class ObjectPayloadsTest {
  private static final PayloadSerializer TEXT =
      object -> Payload.json("\"" + ((Placed) object).secret() + "\"");

  @EventType("order.placed")
  record Placed(String secret) {}

  @EventType("order.placed")
  record WithId(@AggregateId UUID orderId) {}

  @EventType("order.placed")
  @AggregateType("order")
  record WithAggregate(@AggregateId UUID orderId) {}

  private static EventValidator outbox(PayloadSerializer serializer) {
    return outbox(Layout.nativeTable(), serializer);
  }

  private static EventValidator outbox(Layout layout, PayloadSerializer serializer) {
    return new EventValidator(layout, new WritingRules(100, true, true, serializer));
  }

  private static void refused(EventValidator outbox, Object payload, String... parts) {
    assertThatThrownBy(() -> outbox.checked(Event.of(payload)))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContainingAll(parts)
        .hasNoCause()
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void theEventIsWrittenWithWhatTheSerializerMakesOfItsPayload() {
    Event event = Event.of(new Placed("a"));
    Event checked = outbox(TEXT).checked(event);

    assertThat(checked).isEqualTo(event.withPayload(Payload.json("\"a\"")));
    assertThat(event.payload().format()).isEqualTo(Payload.Format.OBJECT);
    assertThat(outbox(object -> Payload.binary(new byte[] {7})).checked(event).payload().bytes())
        .containsExactly(7);
  }

  @Test
  void jsonTextAndBytesAreNotSerialised() {
    PayloadSerializer none =
        object -> {
          throw new AssertionError("not an object: " + object);
        };
    Event text = Event.builder("t").json(" {}").build();
    assertThat(outbox(none).checked(text)).isSameAs(text);
    Event bytes = Event.builder("t").bytes(new byte[] {1}).build();
    assertThat(outbox(none).checked(bytes)).isSameAs(bytes);
    assertThat(outbox(null).checked(text)).isSameAs(text);
  }

  @Test
  void withoutASerializerTheErrorSaysWhatToAdd() {
    refused(
        outbox(null),
        new Placed("hunter2"),
        "payload: ",
        "$Placed of an event order.placed is an object",
        "dev.postcommit:postcommit-jackson",
        "payloadSerializer(JacksonPayloads.create())");
  }

  @Test
  void aFailureOfTheSerializerNamesTypeClassAndPlaceButNoContent() {
    refused(
        outbox(
            object -> {
              throw new IllegalStateException(
                  "hunter2", new IllegalArgumentException("hunter2" + object));
            }),
        new Placed("hunter2"),
        "payload: ",
        "$Placed of an event order.placed cannot be serialised",
        "java.lang.IllegalArgumentException at ",
        "ObjectPayloadsTest.java");
    refused(
        outbox(
            object -> {
              throw new InvalidPayloadException("no serializer for /customer");
            }),
        new Placed("hunter2"),
        "cannot be serialised: no serializer for /customer");
    refused(outbox(TEXT), new Placed("hunter2\""), "cannot be serialised: ");
    refused(
        outbox(ObjectPayloadsTest::endless),
        new Placed("hunter2"),
        "cannot be serialised: java.lang.StackOverflowError");
  }

  private static Payload endless(Object object) {
    return object == null ? null : endless(List.of(object));
  }

  @Test
  void aSerializerMustReturnJsonOrBytes() {
    refused(outbox(object -> null), new Placed("hunter2"), "returned neither JSON nor bytes");
    refused(outbox(Payload::of), new Placed("hunter2"), "returned neither JSON nor bytes");
  }

  @Test
  void theLimitsOfPayloadsApply() {
    refused(outbox(TEXT), new Placed("x".repeat(99)), "payload: is 101 bytes", "limit of 100");
    assertThat(outbox(TEXT).checked(Event.of(new Placed("x".repeat(98)))).payload().size())
        .isEqualTo(100);
    refused(
        outbox(Layout.preset("modkit"), object -> Payload.binary(new byte[1])),
        new Placed("hunter2"),
        "stores JSON only");
    refused(
        outbox(Layout.preset("modkit"), object -> Payload.json("\"\\u0000\"")),
        new Placed("hunter2"),
        "U+0000");
  }

  @Test
  void aLayoutThatNeedsAnAggregateSaysSo() {
    for (String name : List.of("logistik", "packfinderz")) {
      EventValidator outbox = outbox(Layout.preset(name), object -> Payload.json("{}"));
      refused(
          outbox,
          new Placed("hunter2"),
          "aggregateId: the " + name + " layout needs it",
          "@AggregateId",
          "$Placed");
      refused(outbox, new WithId(UUID.randomUUID()), "aggregateType: the ", "@AggregateType");
    }
  }

  @Test
  void aLayoutWithoutAggregateTypeNeedsTheIdOnly() {
    EventValidator outbox = outbox(Layout.preset("polyshop"), object -> Payload.json("{}"));
    refused(outbox, new Placed("hunter2"), "aggregateId: the polyshop layout needs it");
    assertThat(outbox.checked(Event.of(new WithId(UUID.randomUUID())))).isNotNull();
    assertThatThrownBy(() -> outbox.checked(Event.of(new WithAggregate(UUID.randomUUID()))))
        .hasMessage("aggregateType: the polyshop layout has no column for it");
  }

  @Test
  void aLayoutWithoutKeysNeedsNoAggregate() {
    Layout layout =
        Layout.adopt(TableName.of("legacy.events"))
            .column(Role.ID, "id", "uuid")
            .column(Role.TYPE, "kind", "text")
            .column(Role.PAYLOAD, "body", "json")
            .column(Role.CREATED_AT, "at", "timestamptz")
            .column(Role.STATUS, "state", "text")
            .lifecycle(new Lifecycle.Status("NEW", "SENT", "BROKEN"))
            .build();
    EventValidator outbox = outbox(layout, object -> Payload.json("{}"));
    assertThat(outbox.checked(Event.of(new Placed("a")))).isNotNull();
    refused(outbox, new WithId(UUID.randomUUID()), "aggregateId: the adopted layout has no column");
  }
}
