package dev.postcommit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Events of objects: where their fields come from, and what is refused. */
class ObjectEventTest {

  @EventType("order.placed")
  @AggregateType("order")
  record OrderPlaced(@AggregateId String orderId, int total) {}

  /** What all events of an order share. */
  @AggregateType("order")
  interface OrderEvent {
    @AggregateId
    Object orderId();
  }

  @EventType("order.paid")
  record OrderPaid(Object orderId) implements OrderEvent {}

  @EventType("order.shipped")
  static class OrderShipped {
    @AggregateId private final String orderId = "7";

    @Override
    public String toString() {
      return orderId;
    }
  }

  @EventType("order.closed")
  static class OrderClosed {
    private final UUID id;

    OrderClosed(UUID id) {
      this.id = id;
    }

    @AggregateId
    public UUID getId() {
      return id;
    }
  }

  @EventType("trip.booked")
  record TripBooked(@AggregateId String getawayId) {}

  @EventType("shop.opened")
  record ShopOpened(String name) {}

  record Unmarked(String name) {}

  private static void refused(String field, Executable work, String... parts) {
    assertThatThrownBy(work::execute)
        .isInstanceOfSatisfying(
            InvalidEventException.class, e -> assertThat(e.field()).isEqualTo(field))
        .hasMessageContainingAll(parts);
  }

  @Test
  void anAnnotatedClassSaysAllThatAnEventNeeds() {
    OrderPlaced payload = new OrderPlaced("42", 100);
    Event event = Event.of(payload);

    assertThat(event.type()).isEqualTo("order.placed");
    assertThat(event.topic()).isEqualTo("order.placed");
    assertThat(event.aggregateType()).isEqualTo("order");
    assertThat(event.aggregateId()).isEqualTo("42");
    assertThat(event.key()).isEqualTo("42");
    assertThat(event.payload().format()).isEqualTo(Payload.Format.OBJECT);
    assertThat(event.payload().object()).containsSame(payload);
    assertThat(event.id().version()).isEqualTo(7);
  }

  @Test
  void theBuilderComesBeforeTheAnnotations() {
    OrderPlaced payload = new OrderPlaced("42", 100);
    Event event =
        Event.builder("order.imported")
            .aggregate("import", "1")
            .key("k")
            .topic("imports")
            .payload(payload)
            .build();
    assertThat(event.type()).isEqualTo("order.imported");
    assertThat(event.topic()).isEqualTo("imports");
    assertThat(event.aggregateType()).isEqualTo("import");
    assertThat(event.aggregateId()).isEqualTo("1");
    assertThat(event.key()).isEqualTo("k");

    Event otherId = Event.builder().aggregateId("2").payload(payload).build();
    assertThat(otherId.aggregateType()).isEqualTo("order");
    assertThat(otherId.aggregateId()).isEqualTo("2");
    assertThat(otherId.key()).isEqualTo("2");

    Event otherKey = Event.builder().key("k").payload(payload).build();
    assertThat(otherKey.aggregateId()).isEqualTo("42");
    assertThat(otherKey.key()).isEqualTo("k");
  }

  @Test
  void anAggregateIsFoundWhereverItIsMarked() {
    assertThat(Event.of(new OrderPaid("5")).aggregateId()).isEqualTo("5");
    assertThat(Event.of(new OrderPaid("5")).aggregateType()).isEqualTo("order");
    assertThat(Event.of(new OrderShipped()).aggregateId()).isEqualTo("7");
    UUID id = UUID.randomUUID();
    assertThat(Event.of(new OrderClosed(id)).key()).isEqualTo(id.toString());
    assertThat(Event.of(new TripBooked("9")).aggregateId()).isEqualTo("9");
    assertThat(Event.of(new ShopOpened("north")).key()).isNull();
  }

  @Test
  void anIdIsTextAUuidOrAWholeNumber() {
    assertThat(Event.of(new OrderPaid(5)).key()).isEqualTo("5");
    assertThat(Event.of(new OrderPaid(5L)).key()).isEqualTo("5");
    assertThat(Event.of(new OrderPaid(BigInteger.TEN)).key()).isEqualTo("10");
    refused(
        "aggregateId",
        () -> Event.of(new OrderPaid(new Unmarked("secret"))),
        "OrderPaid.orderId",
        "Unmarked; mark a text, a UUID or a whole number");
    assertThatThrownBy(() -> Event.of(new OrderPaid(new Unmarked("secret"))))
        .hasMessageNotContaining("secret");
    refused("aggregateId", () -> Event.of(new OrderPaid(1.5)), "java.lang.Double");
  }

  @Test
  @DisplayName("a String is JSON text and a byte[] is bytes, whichever way they are given")
  void textAndBytesAreNotObjects() {
    Object text = "{\"a\":1}";
    Payload json = Event.builder("t").payload(text).build().payload();
    assertThat(json).isEqualTo(Payload.json("{\"a\":1}"));
    assertThat(new String(json.bytes(), UTF_8)).isEqualTo(text);
    assertThat(Event.builder("t").payload(new byte[] {1}).build().payload())
        .isEqualTo(Payload.binary(new byte[] {1}));
    assertThat(Event.builder("t").payload(json).build().payload()).isSameAs(json);
    refused("payload", () -> Event.builder("t").payload("order placed"), "not valid JSON");
    refused("type", () -> Event.of("{}"), "Event.builder(type)");
    refused("type", () -> Event.of(new byte[0]), "Event.builder(type)");
  }

  @Test
  void anyObjectGoesWithATypeOfTheBuilder() {
    Event event = Event.builder("t").key("k").payload(Map.of("a", 1)).build();
    assertThat(event.payload().object()).contains(Map.of("a", 1));
    assertThat(event.aggregateId()).isNull();
  }

  @Test
  void aClassWithoutATypeIsRefused() {
    refused("type", () -> Event.of(new Unmarked("x")), "Unmarked is not marked with @EventType");
    refused("type", () -> Event.of(new OrderShipped() {}), "is not marked with @EventType");
    refused("type", () -> Event.builder().json("{}").build(), "Event.builder(type)");
  }

  @Test
  void aNullPayloadOrIdIsRefused() {
    refused("payload", () -> Event.of(null), "must not be null");
    refused("payload", () -> Event.builder("t").payload(null), "must not be null");
    refused("payload", () -> Event.builder().build(), "must not be null");
    refused(
        "aggregateId",
        () -> Event.of(new OrderPlaced(null, 1)),
        "OrderPlaced.orderId, the @AggregateId, is null");
    refused("aggregateId", () -> Event.of(new OrderPlaced(" ", 1)), "must not be blank");
    assertThat(Event.builder().aggregateId("1").payload(new OrderPlaced(null, 1)).build().key())
        .isEqualTo("1");
  }

  @EventType("t")
  record TwoIds(@AggregateId String a, @AggregateId String b) {}

  @EventType("t")
  @AggregateType("order")
  record NoId(String a) {}

  @EventType("t")
  record FailingId(String a) {
    @AggregateId
    String id() {
      if (!a.isEmpty()) {
        throw new IllegalStateException("secret");
      }
      return a;
    }
  }

  @EventType("t")
  record IdOfAMethodWithParameters(String a) {
    @AggregateId
    String id(String b) {
      return a + b;
    }
  }

  @EventType("t")
  static class IdOfTheClass {
    @AggregateId static final String ID = "1";
  }

  @Test
  void aMisplacedAggregateIdIsRefused() {
    refused(
        "aggregateId", () -> Event.of(new TwoIds("1", "2")), "several @AggregateId", "a, b", "one");
    refused(
        "aggregateId", () -> Event.of(new NoId("1")), "has @AggregateType, but no @AggregateId");
    refused(
        "aggregateId",
        () -> Event.of(new IdOfAMethodWithParameters("1")),
        "IdOfAMethodWithParameters.id",
        "no parameters");
    refused("aggregateId", () -> Event.of(new IdOfTheClass()), "not to a static one");
    refused(
        "aggregateId",
        () -> Event.of(new FailingId("1")),
        "FailingId.id, the @AggregateId, failed: java.lang.IllegalStateException at ",
        "ObjectEventTest.java");
    assertThatThrownBy(() -> Event.of(new FailingId("1")))
        .hasStackTraceContaining("FailingId")
        .hasMessageNotContaining("secret");
  }

  @Test
  void anObjectHasNoBytesAndIsNotShown() {
    Event event = Event.of(new OrderPlaced("42", 31_415));
    assertThat(event.toString()).contains("object of class").doesNotContain("31415");
    assertThatThrownBy(() -> event.payload().bytes())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("OrderPlaced")
        .hasMessageNotContaining("31415");
    assertThatThrownBy(() -> event.payload().size()).isInstanceOf(IllegalStateException.class);
    assertThat(Payload.json("1").object()).isEmpty();
  }

  @Test
  void payloadsOfEqualObjectsAreEqual() {
    Payload payload = Payload.of(new OrderPlaced("42", 1));
    assertThat(payload)
        .isEqualTo(Payload.of(new OrderPlaced("42", 1)))
        .hasSameHashCodeAs(Payload.of(new OrderPlaced("42", 1)))
        .isNotEqualTo(Payload.of(new OrderPlaced("42", 2)))
        .isNotEqualTo(Payload.json("1"));
  }
}
