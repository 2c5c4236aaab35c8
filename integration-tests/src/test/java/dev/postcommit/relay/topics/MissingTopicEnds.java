package dev.postcommit.relay.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Relay;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.contract.LayoutSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How the wait for a topic that takes no messages ends without the relay that began it. */
abstract class MissingTopicEnds extends MissingTopic {
  MissingTopicEnds(LayoutSample sample) {
    super(sample);
  }

  @Test
  @DisplayName(
      "R21: events that wait for a topic are delivered by a relay that starts after it is made")
  void anotherRelayDeliversWhatWaited() {
    List<String> waiting = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      waiting.add(write("key-" + i, MISSING));
    }
    try (Relay relay = started(relay())) {
      awaitUntil(() -> probes.get() >= 2);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
    exists = true;

    try (Relay relay = started(relay())) {
      awaitUntil(() -> admin().status().pending() == 0);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }

    assertThat(publisher.accepted()).containsExactlyInAnyOrderElementsOf(waiting);
  }

  @Test
  @DisplayName(
      "R21: after the time that is set, events that wait for a topic are dead, and their keys free")
  void eventsAreGivenUpAfterATime() {
    String given = write("a", MISSING);
    String next = write("a", THERE);

    try (Relay relay = started(relay().giveUpAfter(Duration.ofSeconds(1)))) {
      awaitUntil(() -> publisher.accepted().contains(next));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }

    awaitUntil(() -> admin().status().pending() == 0);
    assertThat(state(given)).isEqualTo("dead");
    assertThat(admin().dead(given).orElseThrow().error()).contains("gave up after", REASON);
  }

  @Test
  @DisplayName("R21: an operator can give up the events that wait for a topic; later ones wait on")
  void anOperatorGivesUp() {
    String given = write("a", MISSING);
    String next = write("a", THERE);
    try (Relay relay = started(relay())) {
      awaitUntil(() -> !admin().topics().orElseThrow().isEmpty());
      OutboxAdmin.TopicOutage outage = admin().topics().orElseThrow().get(0);
      assertThat(outage.topic()).isEqualTo(MISSING);
      assertThat(outage.reason()).isEqualTo(REASON);
      assertThat(admin().giveUp("other", new Decision("alice", null))).isFalse();
      assertThat(admin().giveUp(MISSING, new Decision("alice", "never to be made"))).isTrue();
      awaitUntil(() -> publisher.accepted().contains(next));
      String later = write("b", MISSING);
      awaitUntil(() -> admin().status().delayed() > 0);
      assertThat(state(later)).isEqualTo("pending");
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }

    assertThat(state(given)).isEqualTo("dead");
    assertThat(admin().dead(given).orElseThrow().error())
        .contains("given up by alice: never to be made", REASON);
  }
}
