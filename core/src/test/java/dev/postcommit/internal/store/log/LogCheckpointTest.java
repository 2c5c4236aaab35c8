package dev.postcommit.internal.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.Snapshot;
import org.junit.jupiter.api.Test;

class LogCheckpointTest {
  private static final Snapshot SEEN = Snapshot.of("5:9:5,7");
  private static final LogCheckpoint WITHIN =
      new LogCheckpoint("h", 7, new LogCursor(3, SEEN, Snapshot.of("9:12:"), 44));

  @Test
  void whatIsWrittenIsReadAgain() {
    LogCheckpoint between = new LogCheckpoint("h", 8, LogCursor.at(3, SEEN));
    assertThat(LogCheckpoint.of(WITHIN.text())).isEqualTo(WITHIN);
    assertThat(LogCheckpoint.of(between.text())).isEqualTo(between);
  }

  @Test
  void whatIsNoCheckpointIsNotRead() {
    assertThat(LogCheckpoint.of("")).isNull();
    assertThat(LogCheckpoint.of("2 h 7 3 5:9:5,7 - 0")).isNull();
    assertThat(LogCheckpoint.of("1 h seven 3 5:9:5,7 - 0")).isNull();
    assertThat(LogCheckpoint.of("1 h 7 3 5 - 0")).isNull();
  }

  @Test
  void agreesWithARowThatWasMarkedForItOrForTheNext() {
    assertThat(WITHIN.agreesWith("h 7")).isTrue();
    assertThat(WITHIN.agreesWith("h 8")).isTrue();
  }

  @Test
  void doesNotAgreeWithARowOfAnotherTime() {
    assertThat(WITHIN.agreesWith("h 6")).isFalse();
    assertThat(WITHIN.agreesWith("h 9")).isFalse();
    assertThat(WITHIN.agreesWith("other 7")).isFalse();
    assertThat(WITHIN.agreesWith(null)).isFalse();
  }
}
