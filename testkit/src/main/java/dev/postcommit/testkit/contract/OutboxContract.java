package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.NoTransactionException;
import dev.postcommit.Outbox;
import dev.postcommit.Payload;
import dev.postcommit.layout.Role;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The writing side. */
public abstract class OutboxContract extends LayoutFixture {
  /** The contract for one layout. */
  protected OutboxContract(LayoutSample sample) {
    super(sample);
  }

  /** Rollback takes the event along. */
  @Test
  @DisplayName("R1: an event is committed and rolled back with the caller's own rows")
  public void anEventSharesTheFateOfTheCallersRows() throws SQLException {
    execute("CREATE TABLE IF NOT EXISTS domain_rows (id int)");
    execute("TRUNCATE domain_rows");
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      tx.createStatement().execute("INSERT INTO domain_rows VALUES (1)");
      outbox().enqueue(tx, small("a"));
      outbox().enqueueAll(tx, List.of(small("a"), small("b")));
      tx.rollback();
    }
    assertThat(rows()).isZero();
    query("SELECT count(*) FROM domain_rows", n -> assertThat(n).isEqualTo("0"));

    transaction(
        tx -> {
          tx.createStatement().execute("INSERT INTO domain_rows VALUES (1)");
          outbox().enqueue(tx, small("a"));
        });
    assertThat(rows()).isEqualTo(1);
    query("SELECT count(*) FROM domain_rows", n -> assertThat(n).isEqualTo("1"));
  }

  /** Auto-commit is refused. */
  @Test
  @DisplayName("R2: without a transaction nothing is written and the error says what to do")
  public void refusesAutoCommit() throws SQLException {
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(true);
      assertThatThrownBy(() -> outbox().enqueue(connection, small("a")))
          .isInstanceOf(NoTransactionException.class)
          .hasMessageContaining("setAutoCommit(false)");
      assertThatThrownBy(() -> outbox().enqueueAll(connection, List.of(small("a"))))
          .isInstanceOf(NoTransactionException.class);
    }
    assertThat(rows()).isZero();
  }

  /** A new row is fresh. */
  @Test
  @DisplayName("R4: a new row is pending, due now, without attempts and without a lease")
  public void aNewRowIsPendingAndDue() {
    Event event = small("a");
    String id = enqueue(event).get(0);

    assertThat(id).isEqualTo(event.id().toString());
    assertThat(event.id().version()).isEqualTo(7);
    assertThat(state(id)).isEqualTo("pending");
    assertThat(attempts(id)).isZero();
    if (layout().column(Role.LOCKED_BY).isPresent()) {
      assertThat(value(id, Role.LOCKED_BY)).isNull();
      assertThat(value(id, Role.LOCKED_UNTIL)).isNull();
    }
    assertThat(ids(store().claim(upTo(1)))).containsExactly(id);
  }

  /** Many events keep their order. */
  @Test
  @DisplayName("R1: many events are written with one statement, in the order of the list")
  public void manyEventsAreWrittenInOrder() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      events.add(event("k" + i).json("{\"n\":" + i + "}").build());
    }
    transaction(
        tx -> {
          CountingConnection counting = new CountingConnection(tx);
          assertThat(outbox().enqueueAll(counting.connection(), events)).hasSize(300);
          assertThat(counting.executions()).isEqualTo(1);
          assertThat(outbox().enqueueAll(tx, List.of())).isEmpty();
        });

    assertThat(ids(store().claim(upTo(1000))))
        .isEqualTo(events.stream().map(e -> e.id().toString()).toList());
  }

  /** Enqueueing costs one round trip. */
  @Test
  @DisplayName("R1: enqueueing costs one statement")
  public void enqueueingCostsOneStatement() {
    transaction(
        tx -> {
          CountingConnection counting = new CountingConnection(tx);
          outbox().enqueue(counting.connection(), small("a"));
          assertThat(counting.executions()).isEqualTo(1);
        });
  }

  /** Large payloads are refused. */
  @Test
  @DisplayName("a payload over the limit is refused before any SQL, one at the limit is not")
  public void aPayloadOverTheLimitIsRefused() {
    Outbox small = Outbox.builder(layout()).maxPayloadBytes(10).build();
    transaction(
        tx -> {
          CountingConnection counting = new CountingConnection(tx);
          Event tooLarge = event("a").json("\"123456789\"").build();
          assertThatThrownBy(() -> small.enqueue(counting.connection(), tooLarge))
              .isInstanceOf(InvalidEventException.class)
              .hasMessageContaining("payload: ")
              .hasMessageContaining("11")
              .hasMessageContaining("10");
          assertThat(counting.executions()).isZero();
          small.enqueue(tx, event("a").json("\"12345678\"").build());
        });
    String most = "\"" + "x".repeat(Outbox.DEFAULT_MAX_PAYLOAD_BYTES - 2) + "\"";
    enqueue(event("a").json(most).build());
    assertThatThrownBy(() -> enqueue(event("a").json(most.replace("\"x", "\"xx")).build()))
        .hasMessageStartingWith("payload: ")
        .hasMessageContaining("" + (Outbox.DEFAULT_MAX_PAYLOAD_BYTES + 1));
  }

  /** Objects are serialised. */
  @Test
  @DisplayName("an object is serialised when it is enqueued, by the outbox that writes it")
  public void anObjectIsSerialisedWhenItIsEnqueued() {
    List<Integer> amount = new ArrayList<>(List.of(1));
    Event event = event("a").payload(amount).build();
    amount.add(2);
    Outbox outbox =
        Outbox.builder(layout())
            .payloadSerializer(object -> Payload.json(object.toString()))
            .build();
    transaction(
        tx -> {
          outbox.enqueue(tx, event);
          outbox.enqueueAll(tx, List.of(event("b").payload(List.of(3)).build(), small("c")));
        });

    assertThat(store().claim(upTo(3)).events())
        .extracting(row -> new String(row.payload(), StandardCharsets.UTF_8).replace(" ", ""))
        .startsWith("[1,2]", "[3]");
  }

  /** Objects need a serializer. */
  @Test
  @DisplayName("an object that cannot be serialised is refused before any SQL, and so is its list")
  public void anObjectThatCannotBeSerialisedIsRefused() {
    Event object = event("a").payload(List.of("hunter2")).build();
    transaction(
        tx -> {
          CountingConnection counting = new CountingConnection(tx);
          assertThatThrownBy(() -> outbox().enqueue(counting.connection(), object))
              .isInstanceOf(InvalidEventException.class)
              .hasMessageContaining("postcommit-jackson");
          List<Event> events = new ArrayList<>(List.of(small("a"), object));
          if (settled().column(Role.DUE_AT).isPresent()) {
            events.add(0, event("b").json("1").availableAt(Instant.now()).build());
          }
          assertThatThrownBy(() -> outbox().enqueueAll(counting.connection(), events))
              .isInstanceOf(InvalidEventException.class)
              .hasMessageNotContaining("hunter2");
          assertThat(counting.executions()).isZero();
        });
    assertThat(rows()).isZero();
  }

  /** Names that no topic can have are refused. */
  @Test
  @DisplayName("a type or topic that Kafka does not allow as a topic's name is refused")
  public void aNameThatNoTopicCanHaveIsRefused() {
    for (String name : List.of("order placed", "a/b", "größe", "a\nb", ".", "x".repeat(250))) {
      Event event = named(name);
      transaction(
          tx -> {
            CountingConnection counting = new CountingConnection(tx);
            assertThatThrownBy(() -> outbox().enqueue(counting.connection(), event))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageStartingWith("type: ");
            assertThatThrownBy(() -> outbox().enqueueAll(counting.connection(), List.of(event)))
                .isInstanceOf(InvalidEventException.class);
            assertThat(counting.executions()).isZero();
          });
    }
    boolean anyType =
        layout().column(Role.TYPE).map(column -> column.labels().isEmpty()).orElse(true);
    if (anyType) {
      enqueue(named("order.order.placed.v1"), named("Order_placed-2"));
      Outbox unchecked = Outbox.builder(layout()).withoutTopicCheck().build();
      transaction(tx -> unchecked.enqueue(tx, named("order placed")));
      assertThat(rows()).isEqualTo(3);
    }
  }

  private Event named(String type) {
    Event event = small("a");
    return new Event(
        event.id(),
        event.namespace(),
        type,
        event.tenant(),
        event.dedupeKey(),
        type,
        event.aggregateType(),
        event.aggregateId(),
        event.key(),
        event.version(),
        event.headers(),
        event.payload(),
        event.availableAt());
  }

  /** Only the lifecycle changes. */
  @Test
  @DisplayName("R8: after the insert only lifecycle columns change")
  public void onlyLifecycleColumnsChange() {
    String id = enqueue(event("a").json("{\"a\": 1}").build()).get(0);
    Map<Role, @Nullable String> before = content(id);
    OutboxStore store = store();

    store.settle(
        store.claim(upTo(1)), List.of(new Outcome.Retry(id, "again", Duration.ofMillis(1))));
    assertThat(content(id)).isEqualTo(before);
    Claim claim = claimSoon(store);
    store.settle(claim, List.of(new Outcome.Dead(id, "never")));
    assertThat(content(id)).isEqualTo(before);
    admin().replay(DeadFilter.all(), new Decision("operator", null));
    assertThat(content(id)).isEqualTo(before);
  }
}
