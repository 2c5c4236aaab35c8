package dev.postcommit.spring.test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.DomainEvent;
import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.NoTransactionException;
import dev.postcommit.Payload;
import dev.postcommit.layout.Layout;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An outbox for tests, without any database. */
class RecordingOutboxTest {

  private final RecordingOutbox outbox = new RecordingOutbox(Layout.nativeTable(), null);
  private final TransactionTemplate template = new TransactionTemplate(new MemoryTransactions());

  private static Event placed(String id) {
    return Event.builder("order.placed")
        .aggregate("order", id)
        .header("channel", "web")
        .json("{\"id\": " + id + ", \"lines\": [1, 2.50, null, true]}")
        .build();
  }

  private void write(Event... events) {
    template.executeWithoutResult(status -> outbox.enqueueAll(List.of(events)));
  }

  @Test
  void whatIsCommittedStaysAndWhatIsRolledBackIsForgotten() {
    template.executeWithoutResult(
        status -> {
          outbox.enqueue(placed("1"));
          assertThat(outbox).wroteOnly("order.placed");
          status.setRollbackOnly();
        });
    assertThat(outbox).wroteNothing();

    write(placed("2"), Event.builder("order.paid").key("2").json("{}").build());
    assertThat(outbox).wroteOnly("order.placed", "order.paid");
    outbox.clear();
    assertThat(outbox).wroteNothing();
  }

  @Test
  void aNewTransactionDoesNotSeeTheOneAround() {
    TransactionTemplate inner = new TransactionTemplate(template.getTransactionManager());
    inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    template.executeWithoutResult(
        status -> {
          outbox.enqueue(placed("3"));
          inner.executeWithoutResult(
              own -> {
                assertThat(outbox).wroteNothing();
                outbox.enqueue(placed("4"));
              });
          assertThat(outbox).wroteOnly("order.placed", "order.placed");
          status.setRollbackOnly();
        });
    assertThat(outbox).wrote("order.placed").withKey("4");
    assertThat(outbox).wroteOnly("order.placed");
  }

  @Test
  void itTakesWhatGoesBesideALog() {
    RecordingOutbox log = new RecordingOutbox(Layout.log(), null);
    Event later = Event.builder("order.due").availableAt(Instant.EPOCH).json("1").build();
    template.executeWithoutResult(status -> log.enqueue(later));
    assertThat(log.events()).containsExactly(later);
  }

  @Test
  void itRefusesWhatTheRealOneRefuses() {
    assertThatThrownBy(() -> outbox.enqueue(placed("5")))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("there is no transaction");

    RecordingOutbox logistik = new RecordingOutbox(Layout.preset("logistik"), null);
    template.executeWithoutResult(
        status ->
            assertThatThrownBy(() -> logistik.enqueue(placed("5")))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("aggregateId"));
    assertThat(logistik).wroteNothing();
  }

  @Test
  void anObjectIsRecordedAsItsJson() {
    RecordingOutbox objects =
        new RecordingOutbox(
            Layout.nativeTable(), null, true, object -> Payload.json(object.toString()));
    Event event = Event.builder("a").payload(List.of(1, 2)).build();

    template.executeWithoutResult(status -> objects.enqueue(event));

    assertThat(objects).wrote("a").withJson("[1,2]");
    template.executeWithoutResult(
        status ->
            assertThatThrownBy(() -> outbox.enqueue(event))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("postcommit-jackson"));
    assertThat(outbox).wroteNothing();
  }

  @Test
  void aDedupeKeyIsNoticed() {
    Event first = Event.builder("a").dedupeKey("k").json("1").build();
    Event second = Event.builder("a").dedupeKey("k").json("2").build();

    List<Enqueued> results = template.execute(status -> outbox.enqueueAll(List.of(first, second)));

    assertThat(results)
        .containsExactly(
            new Enqueued.Written(first.id()), new Enqueued.AlreadyEnqueued(first.id()));
    assertThat(outbox).wroteOnly("a");
  }

  @Test
  void aDomainEventIsRecordedInItsEnvelope() {
    UUID license = UUID.randomUUID();
    template.executeWithoutResult(
        status ->
            outbox.emit(
                DomainEvent.builder("license_status_changed")
                    .aggregate("license", license)
                    .data("{\"status\":\"verified\"}")
                    .build()));

    assertThat(outbox)
        .wrote("license_status_changed")
        .withKey(license.toString())
        .satisfying(
            event ->
                assertThat(new String(event.payload().bytes(), UTF_8))
                    .contains("\"eventId\":\"" + event.id() + "\""));
  }

  @Test
  void everyPartOfAnEventCanBeAskedFor() {
    write(placed("6"), placed("7"));

    assertThat(outbox)
        .wrote("order.placed")
        .withKey("7")
        .withTopic("order.placed")
        .withAggregate("order", "7")
        .withHeader("channel", "web")
        .withJson("{\"lines\":[1.0,2.5,null,true],\"id\":7}")
        .and()
        .wrote("order.placed")
        .withKey("6");
  }

  @Test
  void failuresListWhatWasWritten() {
    write(placed("8"), Event.builder("raw").topic("bytes").bytes(new byte[] {1, 2}).build());
    String written =
        """
        these were written:
          order.placed, key 8, headers {channel=web}, {"id": 8, "lines": [1, 2.50, null, true]}
          raw, topic bytes, 0x0102""";

    assertThatThrownBy(() -> assertThat(outbox).wrote("order.placed").withKey("9").withJson("{}"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("expected an event with type order.placed, key 9%nbut %s".formatted(written));
    assertThatThrownBy(() -> assertThat(outbox).wrote("order.placed").withJson("{}"))
        .hasMessageStartingWith("expected an event with type order.placed, json {}");
    assertThatThrownBy(() -> assertThat(outbox).wrote("order.lost"))
        .hasMessageStartingWith("expected an event with type order.lost");
    assertThatThrownBy(() -> assertThat(outbox).wroteOnly("order.placed"))
        .hasMessage("expected only events of the types [order.placed]%nbut %s".formatted(written));
    assertThatThrownBy(() -> assertThat(outbox).wroteNothing())
        .hasMessage("expected no event%nbut %s".formatted(written));
    outbox.clear();
    assertThatThrownBy(() -> assertThat(outbox).wrote("a"))
        .hasMessageEndingWith("nothing was written");
    assertThatThrownBy(() -> JsonTree.of("{} {}")).hasMessageContaining("more than one");
    assertThatThrownBy(() -> JsonTree.of("{")).hasMessageContaining("not JSON");
  }
}
