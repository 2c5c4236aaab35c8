package dev.postcommit.internal.relay.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.TopicRegistry.Entry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Who probes a topic that takes no messages, and when. */
class UnavailableTopicTest {
  private static final Duration LOST = Duration.ofSeconds(10);

  private long now = 1_000;
  private final UnavailableTopic topic = new UnavailableTopic("missing", () -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void oneEventProbesItAndTheOthersWaitForThat() {
    topic.failed("missing");
    Duration due = topic.nextProbe().orElseThrow();

    assertThat(topic.nextProbe()).isEmpty();
    assertThat(topic.mayProbe()).isFalse();
    pass(due);
    assertThat(topic.mayProbe()).isTrue();
    assertThat(topic.mayProbe()).isFalse();
    assertThat(topic.nextProbe()).isEmpty();
  }

  @Test
  void probesAreFartherAndFartherApartUpToSeconds() {
    Duration last = Duration.ZERO;
    for (int i = 0; i < 10; i++) {
      topic.failed("missing");
      last = topic.nextProbe().orElseThrow();
      pass(last);
      assertThat(topic.mayProbe()).isTrue();
    }

    assertThat(last).isBetween(Duration.ofMillis(2_500), Duration.ofSeconds(5));
  }

  @Test
  void aProbeThatIsNeverAnsweredIsFollowedByAnother() {
    assertThat(topic.mayProbe()).isTrue();
    pass(Duration.ofSeconds(59));
    assertThat(topic.mayProbe()).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(topic.mayProbe()).isTrue();
    topic.unanswered();
    assertThat(topic.mayProbe()).isTrue();
  }

  @Test
  void aProbeThatDoesNotComeIsLostOnlyToTheRelayThatSawTheTopicFail() {
    pass(LOST.plusSeconds(1));
    assertThat(topic.hasLostProbe(LOST)).isFalse();

    topic.failed("missing");
    pass(topic.nextProbe().orElseThrow());
    assertThat(topic.hasLostProbe(LOST)).isFalse();
    pass(LOST.plusSeconds(1));
    assertThat(topic.hasLostProbe(LOST)).isTrue();
    topic.probeAnew();
    assertThat(topic.mayProbe()).isTrue();
  }

  @Test
  void anOperatorsDecisionIsNewsOnce() {
    Entry entry = new Entry("t", "missing", Instant.EPOCH, null, null);
    Entry givenUp = new Entry("t", "missing", Instant.EPOCH, Instant.EPOCH, "alice");

    assertThat(topic.learn(entry)).isFalse();
    assertThat(topic.learn(givenUp)).isTrue();
    assertThat(topic.learn(givenUp)).isFalse();
  }
}
