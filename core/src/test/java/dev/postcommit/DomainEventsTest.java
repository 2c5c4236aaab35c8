package dev.postcommit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.store.StoredEvent;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DomainEventsTest {
  private static final UUID LICENSE = UUID.fromString("0197a1b2-0000-7000-8000-000000000042");
  private static final UUID USER = UUID.fromString("0197a1b2-0000-7000-8000-0000000000aa");
  private static final UUID STORE = UUID.fromString("0197a1b2-0000-7000-8000-0000000000bb");
  private static final Instant THEN = Instant.parse("2026-03-04T05:06:07.8Z");

  private final List<Event> enqueued = new ArrayList<>();
  private final Connection tx =
      (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException();
              });

  private final DomainEvents events =
      DomainEvents.on(
          new Outbox() {
            @Override
            public Enqueued enqueue(Connection connection, Event event) {
              assertThat(connection).isSameAs(tx);
              enqueued.add(event);
              return new Enqueued.Written(event.id());
            }

            @Override
            public List<Enqueued> enqueueAll(Connection connection, List<Event> events) {
              throw new UnsupportedOperationException();
            }
          });

  private static DomainEvent.Builder valid() {
    return DomainEvent.builder("license_status_changed").aggregate("license", LICENSE).data("{}");
  }

  private static void refused(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidEventException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  private String emit(DomainEvent event) {
    assertThat(events.emit(tx, event).id()).isEqualTo(enqueued.get(enqueued.size() - 1).id());
    return new String(enqueued.get(enqueued.size() - 1).payload().bytes(), UTF_8);
  }

  @Test
  void theEventThatStandsForADomainEventHasANewIdEachTime() {
    DomainEvent event = valid().build();

    Event first = DomainEvents.toEvent(event);
    Event second = DomainEvents.toEvent(event);

    assertThat(first.id()).isNotEqualTo(second.id());
    assertThat(new String(first.payload().bytes(), UTF_8)).contains(first.id().toString());
  }

  @Test
  @DisplayName("R3, R31: emit writes the envelope with the row's id into the payload")
  void emitWritesTheEnvelope() {
    String payload =
        emit(
            valid()
                .actor(new Actor(USER, STORE, "admin \"é\""))
                .data(" {\"price\": 10.00, \"huge\":1e400} ")
                .version(3)
                .occurredAt(THEN)
                .build());

    Event event = enqueued.get(0);
    assertThat(event.id().version()).isEqualTo(7);
    assertThat(event.type()).isEqualTo("license_status_changed");
    assertThat(event.aggregateType()).isEqualTo("license");
    assertThat(event.aggregateId()).isEqualTo(LICENSE.toString());
    assertThat(event.key()).isEqualTo(LICENSE.toString());
    assertThat(payload)
        .isEqualTo(
            ("{\"version\":3,\"eventId\":\"%s\",\"occurredAt\":\"2026-03-04T05:06:07.800Z\","
                    + "\"actor\":{\"userId\":\"%s\",\"storeId\":\"%s\",\"role\":\"admin \\\"é\\\"\"},"
                    + "\"data\": {\"price\": 10.00, \"huge\":1e400} }")
                .formatted(event.id(), USER, STORE));
  }

  @Test
  void whatIsNotKnownIsLeftOut() {
    assertThat(emit(valid().occurredAt(THEN).build()))
        .isEqualTo(
            "{\"version\":1,\"eventId\":\"%s\",\"occurredAt\":\"2026-03-04T05:06:07.800Z\",\"data\":{}}"
                .formatted(enqueued.get(0).id()));
    assertThat(emit(valid().actor(new Actor(USER, null, null)).build()))
        .contains("\"actor\":{\"userId\":\"" + USER + "\"}");
  }

  @Test
  void anEventOccursNowUnlessSaidOtherwise() {
    Instant before = Instant.now();
    assertThat(valid().build().occurredAt()).isBetween(before, Instant.now());
  }

  @Test
  void theRelayAcceptsWhatWasEmitted() {
    emit(valid().actor(new Actor(USER, STORE, "admin")).version(2).build());
    Event event = enqueued.get(0);
    StoredEvent stored =
        new StoredEvent(
            event.id().toString(),
            event.namespace(),
            event.topic(),
            null,
            null,
            event.type(),
            event.aggregateType(),
            event.aggregateId(),
            event.key(),
            event.version(),
            Map.of(),
            event.payload().bytes(),
            THEN,
            1,
            null);

    assertThat(Envelope.stored().wrap(stored, "t").body()).isEqualTo(event.payload().bytes());
  }

  @Test
  void twoEmitsAreTwoEvents() {
    DomainEvent event = valid().build();
    assertThat(emit(event)).isNotEqualTo(emit(event));
    assertThat(enqueued.get(0).id()).isNotEqualTo(enqueued.get(1).id());
  }

  @Test
  void fieldsNoConsumerCouldUseAreRefused() {
    refused("event", () -> events.emit(tx, null));
    refused("eventType", () -> DomainEvent.builder(" ").aggregate("a", LICENSE).data("{}").build());
    refused("aggregateType", () -> DomainEvent.builder("t").data("{}").build());
    refused("aggregateType", () -> valid().aggregate("", LICENSE).build());
    refused("aggregateId", () -> valid().aggregate("a", null).build());
    refused("data", () -> valid().data(null).build());
    refused("data", () -> valid().data("{").build());
    refused("data", () -> valid().data(" null\n").build());
    refused("version", () -> valid().version(0).build());
    refused("occurredAt", () -> valid().occurredAt(Instant.MAX).build());
    refused("actor.userId", () -> new Actor(null, STORE, "admin"));
    refused("actor.role", () -> new Actor(USER, STORE, " "));
    assertThat(enqueued).isEmpty();
  }

  @Test
  void aDomainEventNeverShowsItsData() {
    assertThat(valid().data("{\"secret\":1}").build().toString()).doesNotContain("secret");
  }
}
