package dev.postcommit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EventTest {
  private static Event.Builder valid() {
    return Event.builder("order.placed").json("{}");
  }

  private static void refused(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidEventException.class, e -> assertThat(e.field()).isEqualTo(field))
        .hasMessageStartingWith(field + ": ");
  }

  @Test
  @DisplayName("R4: what is not given has a default")
  void whatIsNotGivenHasADefault() {
    Event event = valid().aggregate("order", "42").build();

    assertThat(event.id().version()).isEqualTo(7);
    assertThat(event.namespace()).isEqualTo("default");
    assertThat(event.topic()).isEqualTo("order.placed");
    assertThat(event.key()).isEqualTo("42");
    assertThat(event.version()).isEqualTo(1);
    assertThat(event.headers()).isEmpty();
    assertThat(event.tenant()).isNull();
    assertThat(event.dedupeKey()).isNull();
    assertThat(event.availableAt()).isNull();
    assertThat(valid().build().key()).isNull();
  }

  @Test
  void idsRiseInTheOrderEventsAreMade() {
    UUID before = valid().build().id();
    for (int i = 0; i < 10_000; i++) {
      UUID next = valid().build().id();
      assertThat(next.toString()).isGreaterThan(before.toString());
      before = next;
    }
  }

  @Test
  void aNullOrBlankTypeIsRefused() {
    refused("type", () -> Event.builder(null).json("{}").build());
    refused("type", () -> Event.builder("").json("{}").build());
    refused("type", () -> Event.builder(" \t").json("{}").build());
  }

  @Test
  void textThatNoTableCouldHoldIsRefused() {
    refused("topic", () -> valid().topic(" ").build());
    refused("namespace", () -> valid().namespace(null).build());
    refused("key", () -> valid().key("a\0b").build());
    refused("key", () -> valid().key("x".repeat(513)).build());
    refused("dedupeKey", () -> valid().dedupeKey("x".repeat(1025)).build());
    refused("aggregateId", () -> valid().aggregate("order", "").build());
    refused("aggregateId", () -> valid().aggregate("order", (UUID) null).build());
    refused("type", () -> Event.builder("half \ud83d").json("{}").build());
    assertThat(valid().key("é".repeat(256)).build().key()).hasSize(256);
  }

  @Test
  @DisplayName("a null that would cost the order of its key is refused, also without a type")
  void anAggregateOrKeyThatIsNullIsRefused() {
    refused("aggregateId", () -> valid().aggregate("order", (String) null));
    refused("aggregateId", () -> valid().aggregate("order", (UUID) null));
    refused("aggregateType", () -> valid().aggregate(null, "42"));
    refused("aggregateType", () -> valid().aggregate(null, UUID.randomUUID()));
    refused("aggregateId", () -> valid().aggregateId(null));
    refused("key", () -> valid().key(null));
    refused("aggregateId", () -> valid().aggregate("order", " ").build());
    refused("aggregateId", () -> valid().aggregateId("").build());
    refused("key", () -> valid().key("").build());
    Event whole = valid().aggregate("order", "42").build();
    refused(
        "aggregateId",
        () ->
            new Event(
                whole.id(),
                whole.namespace(),
                whole.topic(),
                null,
                null,
                whole.type(),
                "order",
                null,
                "42",
                1,
                Map.of(),
                whole.payload(),
                null));
  }

  @Test
  @DisplayName("a null in place of what may be left out is refused, not taken for nothing")
  void nullsAreNotTakenForNothing() {
    refused("id", () -> valid().id(null));
    refused("topic", () -> valid().topic(null));
    refused("tenant", () -> valid().tenant(null));
    refused("dedupeKey", () -> valid().dedupeKey(null));
    refused("availableAt", () -> valid().availableAt(null));
  }

  @Test
  void aMissingPayloadIsRefused() {
    refused("payload", () -> Event.builder("t").build());
    refused("payload", () -> valid().bytes(null).build());
    refused("payload", () -> valid().json(null).build());
  }

  @Test
  void invalidJsonIsRefused() {
    for (String text :
        new String[] {"", " ", "{", "{}{}", "{\"a\":}", "nul", "'a'", "1 2", "[1,]"}) {
      refused("payload", () -> valid().json(text));
    }
    refused("payload", () -> valid().json("\"half \ud83d\""));
    refused("payload", () -> valid().json("[".repeat(100_000)));
  }

  @Test
  void anErrorNeverShowsThePayload() {
    assertThatThrownBy(() -> valid().json("{\"secret\": hunter2}"))
        .hasMessageContaining("line 1")
        .hasMessageNotContaining("secret");
    assertThat(valid().json("{\"secret\":1}").build().toString()).doesNotContain("secret");
  }

  @Test
  @DisplayName("R7: JSON text and bytes are kept as they were given")
  void payloadsAreKeptAsTheyWereGiven() {
    String text = " {\"b\": 1.0, \"a\" : \"é\\u00e9 😀\" } ";
    assertThat(valid().json(text).build().payload().bytes()).isEqualTo(text.getBytes(UTF_8));

    byte[] bytes = {0, -1, 127};
    Payload payload = Payload.binary(bytes);
    bytes[0] = 9;
    payload.bytes()[1] = 9;
    assertThat(payload.bytes()).containsExactly(0, -1, 127);
  }

  @Test
  void headersThatBrokersRefuseAreRefused() {
    refused("headers", () -> valid().header("", "v").build());
    refused("headers", () -> valid().header(null, "v").build());
    refused("headers[goog-x]", () -> valid().header("goog-x", "v").build());
    refused("headers[event_id]", () -> valid().header("event_id", "v").build());
    refused("headers[a?b]", () -> valid().header("a\nb", "v").build());
    refused("headers[a]", () -> valid().header("a", null).build());
    refused("headers[a]", () -> valid().header("a", "x".repeat(1025)).build());
    refused("headers[a]", () -> valid().header("a", "\0").build());
    refused(
        "headers",
        () -> {
          Event.Builder many = valid();
          for (int i = 0; i < 101; i++) {
            many.header("h" + i, "v");
          }
          many.build();
        });
    assertThatThrownBy(() -> valid().header("x".repeat(257), "v").build())
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining("257 bytes");
  }

  @Test
  void headersAreCopiedAndKeepTheirOrder() {
    Map<String, String> headers = new HashMap<>();
    headers.put("traceparent", "00-1");
    Event event =
        new Event(
            UUID.randomUUID(),
            "n",
            "t",
            null,
            null,
            "t",
            null,
            null,
            null,
            1,
            headers,
            Payload.json("1"),
            null);
    headers.put("late", "x");

    assertThat(event.headers()).containsOnlyKeys("traceparent");
    assertThat(valid().header("b", "1").header("a", "2").build().headers().keySet())
        .containsExactly("b", "a");
  }

  @Test
  void versionsAndTimesOutOfRangeAreRefused() {
    refused("version", () -> valid().version(0).build());
    refused("availableAt", () -> valid().availableAt(Instant.MAX).build());
    refused("availableAt", () -> valid().availableAt(Instant.MIN).build());
  }

  @Test
  void moreHeadersChangeNothingElse() {
    Event event =
        Event.builder("order.placed")
            .namespace("shop")
            .topic("orders")
            .tenant(UUID.randomUUID())
            .dedupeKey("k")
            .aggregate("order", "42")
            .version(3)
            .header("a", "1")
            .header("b", "2")
            .json("{}")
            .availableAt(Instant.EPOCH)
            .build();

    Event more = event.withHeaders(Map.of("c", "3", "a", "0"));

    assertThat(more.headers()).isEqualTo(Map.of("a", "0", "b", "2", "c", "3"));
    assertThat(more).usingRecursiveComparison().ignoringFields("headers").isEqualTo(event);
    assertThat(event.headers()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThatThrownBy(() -> event.withHeaders(Map.of("event_id", "x")))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining("event_id");
  }
}
