package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.store.Decision;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a relay that holds rows gives up while it is paused. */
class HeldPauseIT extends LayoutFixture {
  private static final Decision DECISION = new Decision("ada", null);

  HeldPauseIT() {
    super(Samples.PACKFINDERZ);
  }

  private long openTransactions() {
    long[] count = new long[1];
    query(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'""",
        value -> count[0] = Long.parseLong(value));
    return count[0];
  }

  @Test
  @DisplayName("R18: a paused relay gives up its turn, and its rows once they are settled")
  void aPausedRelayHoldsNothing() {
    ScriptedPublisher publisher = new ScriptedPublisher().deliveryTimeout(Duration.ofSeconds(8));
    CompletableFuture<Delivery> answer = new CompletableFuture<>();
    List<String> sent = new CopyOnWriteArrayList<>();
    publisher.completing(
        message -> {
          sent.add(ScriptedPublisher.id(message));
          return answer;
        });
    List<String> ids = enqueue("a", 4);
    Relay.Builder builder =
        Relay.builder(dataSource(), publisher)
            .layout(layout())
            .batchSize(1)
            .pollInterval(Duration.ofMillis(20));
    try (Relay relay = builder.build()) {
      relay.start();
      awaitUntil(() -> sent.size() == 1);
      assertThat(admin().status().relays()).isEqualTo(1);

      admin().pause(DECISION);
      awaitUntil(() -> relay.state() == Relay.State.PAUSED);
      awaitUntil(() -> admin().status().relays() == 0);
      assertThat(admin().status().inFlight()).isEqualTo(1);

      answer.complete(Delivery.DELIVERED);
      awaitUntil(() -> state(ids.get(0)).equals("delivered"));
      awaitUntil(() -> openTransactions() == 0);
      assertThat(sent).hasSize(1);
      assertThat(admin().status().pending()).isEqualTo(3);

      admin().resume(DECISION);
      awaitUntil(() -> admin().status().pending() == 0);
    }
    assertThat(publisher.accepted()).isEqualTo(ids);
  }
}
