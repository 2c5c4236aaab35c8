package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.DomainEvent;
import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an application can write, and what not. */
class WritingIT extends TwoDataSources {

  @Test
  void manyEventsAreWrittenAtOnce() {
    List<Enqueued> results =
        template()
            .execute(
                status ->
                    outbox.enqueueAll(
                        List.of(Orders.placed(3), Orders.placed(3), Orders.placed(3))));

    assertThat(results).hasSize(3).allMatch(Enqueued.Written.class::isInstance);
    assertThat(orders.events(3)).isEqualTo(3);
  }

  @Test
  @DisplayName("R3: a domain event is wrapped in its envelope, whose id is that of the row")
  void aDomainEventIsEmitted() {
    UUID license = UUID.randomUUID();
    Enqueued result =
        template()
            .execute(
                status ->
                    outbox.emit(
                        DomainEvent.builder("license_status_changed")
                            .aggregate("license", license)
                            .data("{\"status\":\"verified\"}")
                            .build()));

    String payload =
        jdbc.queryForObject(
            "SELECT convert_from(payload, 'UTF8') FROM postcommit_outbox WHERE id = ?",
            String.class,
            result.id());
    assertThat(payload)
        .contains("\"eventId\":\"" + result.id() + "\"")
        .contains("\"data\":{\"status\":\"verified\"}");
  }

  @Test
  void whatTheTableCannotHoldIsRefusedAndTheTransactionGoesOn() {
    byte[] tooMuch = new byte[2 * 1024 * 1024];
    template()
        .executeWithoutResult(
            status -> {
              place(15);
              assertThatThrownBy(() -> outbox.enqueue(Event.builder("big").bytes(tooMuch).build()))
                  .isInstanceOf(InvalidEventException.class);
            });

    assertThat(orders.events(15)).isEqualTo(1);
  }

  @Test
  void nullIsRefusedByName() {
    template()
        .executeWithoutResult(
            status -> {
              assertThatThrownBy(() -> outbox.enqueue(null)).hasMessageContaining("event");
              assertThatThrownBy(() -> outbox.emit(null)).hasMessageContaining("event");
            });
  }
}
