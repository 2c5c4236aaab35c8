package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Relays that an operator has paused. */
@SuppressWarnings("try") // a relay works without being spoken to
class PauseIT extends RelayFixture {
  private static final Decision MAINTENANCE = new Decision("ada", "broker upgrade");
  private static final Decision DONE = new Decision("grace", null);

  private static void awaitPaused(Relay... relays) {
    for (Relay relay : relays) {
      awaitUntil(() -> relay.state() == Relay.State.PAUSED);
    }
  }

  private static void awaitRunning(Relay... relays) {
    for (Relay relay : relays) {
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
    }
  }

  /** Waits for as long as it takes a relay to show itself again. */
  private void assertNothingIsClaimed(Relay relay, List<String> ids) {
    long seen = timesSeen();
    relay.wakeUp();
    awaitUntil(() -> timesSeen() != seen);
    assertThat(publisher.accepted()).doesNotContainAnyElementsOf(ids);
    assertThat(admin().status().inFlight()).isZero();
  }

  /** Changes whenever a relay has shown itself. */
  private long timesSeen() {
    long[] sum = new long[1];
    query(
        "SELECT coalesce(sum(extract(epoch FROM seen_at) * 1000), 0)::bigint"
            + " FROM postcommit_outbox_relay",
        value -> sum[0] = Long.parseLong(value));
    return sum[0];
  }

  @Test
  @DisplayName("a pause stops all relays of the table, resuming lets them go on, both told once")
  void aPauseStopsAllRelays() {
    List<String> told = new CopyOnWriteArrayList<>();
    RelayListener listener =
        new RelayListener() {
          @Override
          public void paused(String reason) {
            told.add("paused " + reason);
          }

          @Override
          public void resumed() {
            told.add("resumed");
          }
        };
    try (Relay first = started(relay().listener(listener));
        Relay second = started(relay())) {
      awaitDelivered(enqueue("a", 2));

      assertThat(admin().pause(MAINTENANCE)).isTrue();
      awaitPaused(first, second);
      List<String> ids = enqueue("b", 5);
      assertNothingIsClaimed(first, ids);
      awaitUntil(
          () -> admin().relays().orElseThrow().stream().allMatch(r -> r.state().equals("paused")));
      assertThat(admin().relays().orElseThrow()).hasSize(2);

      assertThat(admin().resume(DONE)).isTrue();
      awaitDelivered(ids);
      awaitRunning(first, second);
    }
    assertThat(told).containsExactly("paused by ada: broker upgrade", "resumed");
  }

  @Test
  @DisplayName("pausing twice keeps the first decision, and resuming twice does nothing")
  void decidingTwiceDoesNothing() {
    assertThat(admin().paused()).isEmpty();
    assertThat(admin().resume(DONE)).isFalse();
    assertThat(admin().pause(MAINTENANCE)).isTrue();
    assertThat(admin().pause(new Decision("eve", "another"))).isFalse();
    Optional<Pause> pause = admin().paused();
    assertThat(pause.map(Pause::operator)).contains("ada");
    assertThat(pause.map(Pause::reason)).contains("broker upgrade");
    assertThat(admin().resume(DONE)).isTrue();
    assertThat(admin().resume(DONE)).isFalse();
    assertThat(admin().paused()).isEmpty();
    assertThat(admin().pause(DONE)).isTrue();
    assertThat(admin().paused().map(Pause::operator)).contains("grace");
  }

  @Test
  @DisplayName("what is in flight when a pause comes is finished and recorded")
  void whatIsInFlightIsFinished() {
    CompletableFuture<Delivery> answer = new CompletableFuture<>();
    List<String> sent = new CopyOnWriteArrayList<>();
    publisher.completing(
        message -> {
          sent.add(ScriptedPublisher.id(message));
          return answer;
        });
    publisher.deliveryTimeout(Duration.ofSeconds(4));
    List<String> ids = enqueue("a", 1);
    try (Relay relay = started(relay())) {
      awaitUntil(() -> sent.equals(ids));
      admin().pause(MAINTENANCE);
      awaitPaused(relay);
      List<String> later = enqueue("b", 1);
      answer.complete(Delivery.DELIVERED);
      awaitUntil(() -> state(ids.get(0)).equals("delivered"));
      assertNothingIsClaimed(relay, later);
      assertThat(sent).isEqualTo(ids);
    }
  }

  @Test
  @DisplayName("a relay that starts on a paused table never claims, and starts when it is resumed")
  void aRelayThatStartsWhilePausedNeverClaims() {
    admin().pause(MAINTENANCE);
    List<String> ids = enqueue("a", 3);
    try (Relay relay = started(relay())) {
      awaitPaused(relay);
      assertNothingIsClaimed(relay, ids);
    }
    try (Relay again = started(relay())) {
      awaitPaused(again);
      admin().resume(DONE);
      awaitDelivered(ids);
    }
  }

  @Test
  @DisplayName("a pause that is taken back before a relay has seen it holds nothing up")
  void aPauseThatWasTakenBackHoldsNothingUp() {
    try (Relay relay = started(relay())) {
      awaitDelivered(enqueue("a", 1));
      long seen = timesSeen();
      for (int i = 0; i < 5; i++) {
        admin().pause(MAINTENANCE);
        admin().resume(DONE);
      }
      awaitDelivered(enqueue("a", 2));
      awaitUntil(() -> timesSeen() != seen);
      awaitDelivered(enqueue("a", 2));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  @DisplayName("pausing without the table for it fails, and says what to do")
  void pausingNeedsItsTable() {
    execute("ALTER TABLE postcommit_outbox_pause RENAME TO elsewhere");
    try {
      assertThatThrownBy(() -> admin().pause(MAINTENANCE))
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining("postcommit_outbox_pause")
          .hasMessageContaining("'postcommit migrate'");
      assertThatThrownBy(() -> admin().resume(DONE)).hasMessageContaining("'postcommit migrate'");
      assertThat(admin().paused()).isEmpty();
    } finally {
      execute("ALTER TABLE elsewhere RENAME TO postcommit_outbox_pause");
    }
  }
}
