package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Decision;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Outages while relays are paused. */
class PauseOutageIT extends RelayFixture {
  private static final Decision DECISION = new Decision("ada", null);

  private static void await(Relay relay, Relay.State state) {
    awaitUntil(() -> relay.state() == state);
  }

  @Test
  @DisplayName(
      "R28: a paused relay that loses the database says so, and is still paused afterwards")
  void aPausedRelaySurvivesTheLossOfTheDatabase() {
    OutagePool pool = new OutagePool(dataSource());
    admin().pause(DECISION);
    List<String> ids = enqueue("a", 2);
    try (Relay relay = started(Relay.builder(pool.dataSource(), publisher))) {
      await(relay, Relay.State.PAUSED);
      pool.fail(true);
      await(relay, Relay.State.DATABASE_UNAVAILABLE);
      pool.fail(false);
      await(relay, Relay.State.PAUSED);
      assertThat(publisher.accepted()).isEmpty();
      assertThat(admin().status().inFlight()).isZero();

      pool.fail(true);
      admin().resume(DECISION);
      await(relay, Relay.State.DATABASE_UNAVAILABLE);
      pool.fail(false);
      awaitDelivered(ids);
      await(relay, Relay.State.RUNNING);
    }
  }

  @Test
  @DisplayName("R37: a paused relay looks after a broker that is lost")
  void aPausedRelayLooksAfterItsBroker() {
    publisher.ready(false);
    admin().pause(DECISION);
    try (Relay relay = started(relay())) {
      await(relay, Relay.State.BROKER_UNAVAILABLE);
      publisher.ready(true);
      await(relay, Relay.State.PAUSED);
    }
  }

  @Test
  @DisplayName("R28: a relay that starts without a database, on a paused table, never claims")
  void aRelayThatStartsWithoutADatabaseNeverClaims() {
    OutagePool pool = new OutagePool(dataSource());
    pool.fail(true);
    admin().pause(DECISION);
    enqueue("a", 2);
    try (Relay relay = started(Relay.builder(pool.dataSource(), publisher))) {
      await(relay, Relay.State.DATABASE_UNAVAILABLE);
      pool.fail(false);
      await(relay, Relay.State.PAUSED);
      assertThat(publisher.accepted()).isEmpty();
      assertThat(admin().status().inFlight()).isZero();
    }
  }
}
