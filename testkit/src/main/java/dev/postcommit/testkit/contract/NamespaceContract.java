package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Outbox;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Namespaces, tenants, dedupe keys and events without a key, for layouts that keep them. */
public abstract class NamespaceContract extends LayoutFixture {

  /** The contract for one layout. */
  protected NamespaceContract(LayoutSample sample) {
    super(sample);
  }

  /** Dedupe keys are honoured. */
  @Test
  @DisplayName("R5: a second event with the same dedupe key is already enqueued, not an error")
  public void aSecondEventWithTheSameDedupeKeyIsAlreadyEnqueued() {
    List<Enqueued> results = new ArrayList<>();
    transaction(tx -> results.add(outbox().enqueue(tx, deduplicated("n", "t", "once"))));
    transaction(tx -> results.add(outbox().enqueue(tx, deduplicated("n", "t", "once"))));
    transaction(
        tx ->
            results.addAll(
                outbox()
                    .enqueueAll(
                        tx,
                        List.of(
                            deduplicated("n", "t", "once"),
                            deduplicated("n", "t", "twice"),
                            deduplicated("n", "t", "twice"),
                            deduplicated("n", "other", "once"),
                            deduplicated("m", "t", "once"),
                            small("a")))));

    UUID first = results.get(0).id();
    UUID twice = results.get(3).id();
    assertThat(results.get(0)).isEqualTo(new Enqueued.Written(first));
    assertThat(results.get(1)).isEqualTo(new Enqueued.AlreadyEnqueued(first));
    assertThat(results.get(2)).isEqualTo(new Enqueued.AlreadyEnqueued(first));
    assertThat(results.get(3)).isEqualTo(new Enqueued.Written(twice));
    assertThat(results.get(4)).isEqualTo(new Enqueued.AlreadyEnqueued(twice));
    assertThat(results.subList(5, 8)).allMatch(Enqueued.Written.class::isInstance);
    assertThat(rows()).isEqualTo(5);
  }

  /** The race for a dedupe key. */
  @Test
  @DisplayName("R5: the loser of a race for a dedupe key waits and sees already enqueued")
  public void theLoserOfARaceSeesAlreadyEnqueued() throws Exception {
    try (Connection winner = dataSource().getConnection();
        Connection loser = dataSource().getConnection()) {
      winner.setAutoCommit(false);
      loser.setAutoCommit(false);
      Enqueued written = outbox().enqueue(winner, deduplicated("n", "t", "race"));
      CompletableFuture<Enqueued> second =
          CompletableFuture.supplyAsync(
              () -> outbox().enqueue(loser, deduplicated("n", "t", "race")));
      awaitUntil(
          () -> {
            long[] waiting = new long[1];
            query(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
                n -> waiting[0] = Long.parseLong(n));
            return waiting[0] > 0;
          });
      winner.commit();

      assertThat(second.get()).isEqualTo(new Enqueued.AlreadyEnqueued(written.id()));
      loser.commit();
    }
    assertThat(rows()).isEqualTo(1);
  }

  /** The race against a rollback. */
  @Test
  @DisplayName("R5: if the first of two racing transactions rolls back, the second one writes")
  public void ifTheFirstRollsBackTheSecondWrites() throws Exception {
    try (Connection first = dataSource().getConnection();
        Connection second = dataSource().getConnection()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      outbox().enqueue(first, deduplicated("n", "t", "race"));
      CompletableFuture<Enqueued> result =
          CompletableFuture.supplyAsync(
              () -> outbox().enqueue(second, deduplicated("n", "t", "race")));
      first.rollback();

      assertThat(result.get()).isInstanceOf(Enqueued.Written.class);
      second.commit();
    }
    assertThat(rows()).isEqualTo(1);
  }

  /** The tenant check. */
  @Test
  @DisplayName("R6: with a tenant, a dedupe key must begin with its id in either form and a slash")
  public void aDedupeKeyMustBeginWithTheTenant() {
    UUID tenant = UUID.randomUUID();
    String plain = tenant.toString().replace("-", "");
    enqueue(tenanted(tenant, plain + "/1"), tenanted(tenant, tenant + "/2"));

    for (String wrong : List.of("1", plain, plain + "1/", UUID.randomUUID() + "/1", "/" + plain)) {
      assertThatThrownBy(() -> enqueue(tenanted(tenant, wrong)))
          .isInstanceOf(InvalidEventException.class)
          .hasMessageStartingWith("dedupeKey: ");
    }
    assertThat(rows()).isEqualTo(2);

    Outbox unchecked = Outbox.builder(layout()).withoutTenantCheck().build();
    transaction(tx -> unchecked.enqueue(tx, tenanted(tenant, "free")));
    assertThat(rows()).isEqualTo(3);
  }

  /** Deduplicating costs one round trip. */
  @Test
  @DisplayName("R5: enqueueing with a dedupe key costs one statement, the first time and later")
  public void enqueueingWithADedupeKeyCostsOneStatement() {
    for (int i = 0; i < 2; i++) {
      transaction(
          tx -> {
            CountingConnection counting = new CountingConnection(tx);
            outbox().enqueue(counting.connection(), deduplicated("n", "t", "x"));
            assertThat(counting.executions()).isEqualTo(1);
          });
    }
  }

  /** Reading does not change content. */
  @Test
  @DisplayName("R4: namespace and dedupe key are read as they were written")
  public void readsNamespaceAndDedupeKeyAsTheyWereWritten() {
    enqueue(Event.builder("t").namespace("shop").dedupeKey("once").json("[1]").build());

    StoredEvent event = store().claim(upTo(1)).events().get(0);

    assertThat(event.namespace()).isEqualTo("shop");
    assertThat(event.dedupeKey()).isEqualTo("once");
  }

  private Event deduplicated(String namespace, String topic, String key) {
    return Event.builder(topic).namespace(namespace).dedupeKey(key).json("1").build();
  }

  private static Event tenanted(UUID tenant, String dedupeKey) {
    return Event.builder("t").tenant(tenant).dedupeKey(dedupeKey).json("1").build();
  }

  /** Events without a key have no order. */
  @Test
  @DisplayName("R40: events without a key wait for nothing and are not taken twice")
  public void eventsWithoutAKeyWaitForNothing() {
    List<String> ids = enqueue(unkeyed(), unkeyed(), unkeyed());
    OutboxStore store = store();
    store.settle(
        store.claim(upTo(1)), List.of(new Outcome.Retry(ids.get(0), "x", Duration.ofHours(1))));

    assertThat(ids(store.claim(upTo(1)))).containsExactly(ids.get(1));
    assertThat(ids(beside(store).claim(upTo(9)))).containsExactly(ids.get(2));
  }

  private Event unkeyed() {
    return Event.builder("unkeyed").json("1").build();
  }
}
