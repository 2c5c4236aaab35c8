package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final Duration FETCHING = Duration.ofSeconds(15);
  private static final Duration LONGEST = Duration.ofSeconds(50);
  private static final long START = Long.MAX_VALUE - 1;

  private final Silence silence = new Silence(FETCHING, LONGEST, START);
  private long seconds;
  private boolean answered;

  private Optional<Duration> poll(boolean fetching) {
    boolean now = answered;
    answered = false;
    return silence.polled(now, fetching, START + Duration.ofSeconds(seconds).toNanos());
  }

  /** Polls every second until {@code last}, and expects the same of each poll. */
  private void polls(long last, boolean fetching, Optional<Duration> expected) {
    while (seconds < last) {
      seconds++;
      assertThat(poll(fetching)).as("after %d s", seconds).isEqualTo(expected);
    }
  }

  @Test
  void aConsumerThatFetchesMissesAnswersSoon() {
    answered = true;
    polls(15, true, Optional.empty());
    polls(20, true, Optional.of(FETCHING));
    answered = true;
    polls(35, true, Optional.empty());
    polls(36, true, Optional.of(FETCHING));
  }

  @Test
  void aMemberWithNothingToFetchWaitsForOtherMembers() {
    polls(49, false, Optional.empty());
    polls(60, false, Optional.of(LONGEST));
  }

  @Test
  void whoBeginsToFetchHasTimeForTheFirstAnswer() {
    polls(30, false, Optional.empty());
    polls(45, true, Optional.empty());
    polls(46, true, Optional.of(FETCHING));
  }

  @Test
  void theLongestSilenceIsOverEvenIfFetchingHasJustBegun() {
    polls(45, false, Optional.empty());
    polls(49, true, Optional.empty());
    polls(50, true, Optional.of(LONGEST));
  }

  @Test
  void whatArrivedBetweenPollsFarApartIsUnknown() {
    polls(10, true, Optional.empty());
    seconds = 40;
    assertThat(poll(true)).isEmpty();
    polls(54, true, Optional.empty());
    polls(55, true, Optional.of(FETCHING));
  }

  @Test
  void onlyAnAnswerEndsIt() {
    polls(15, true, Optional.empty());
    polls(16, true, Optional.of(FETCHING));
    seconds = 40;
    assertThat(poll(true)).as("a gap").contains(FETCHING);
    polls(45, false, Optional.of(FETCHING));
    answered = true;
    assertThat(poll(false)).isEmpty();
  }

  @Test
  void itKnowsWhetherThereEverWasAnAnswer() {
    polls(20, false, Optional.empty());
    assertThat(silence.hasHadAnswer()).isFalse();
    answered = true;
    polls(21, false, Optional.empty());
    assertThat(silence.hasHadAnswer()).isTrue();
  }
}
