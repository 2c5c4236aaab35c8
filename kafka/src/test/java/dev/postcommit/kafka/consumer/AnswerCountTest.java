package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerCountTest {
  private final AnswerCount count = new AnswerCount();

  @Test
  void theFirstResponseOnAConnectionIsNoAnswer() {
    for (int i = 0; i < 10; i++) {
      assertThat(count.hasGrown(i, i)).isFalse();
      assertThat(count.hasGrown(i, i + 1)).as("connected").isFalse();
    }
  }

  @Test
  void laterResponsesAreAnswers() {
    assertThat(count.hasGrown(0, 1)).isFalse();
    assertThat(count.hasGrown(1, 1)).isFalse();
    assertThat(count.hasGrown(2, 1)).isTrue();
    assertThat(count.hasGrown(2, 1)).isFalse();
    assertThat(count.hasGrown(4, 1)).isTrue();
  }

  @Test
  void everySecondResponseShowsThatAnotherIsAnAnswer() {
    count.hasGrown(10, 1);
    assertThat(count.hasGrown(11, 1)).isFalse();
    assertThat(count.hasGrown(12, 1)).isTrue();
  }

  @Test
  void connectionsThatFailedInAnOutageDoNotHideItsEnd() {
    assertThat(count.hasGrown(100, 2)).isTrue();
    assertThat(count.hasGrown(100, 52)).isFalse();
    assertThat(count.hasGrown(102, 53)).isFalse();
    assertThat(count.hasGrown(103, 53)).isTrue();
  }
}
