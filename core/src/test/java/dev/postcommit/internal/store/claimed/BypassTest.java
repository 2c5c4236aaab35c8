package dev.postcommit.internal.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BypassTest {
  private final Bypass bypass = new Bypass();

  @Test
  void aClaimThatSeesNothingElseLearnsTheKeys() {
    assertThat(bypass.learn(false, true, false, Map.of("a", 7L))).isFalse();
    assertThat(bypass.keys()).isEqualTo(Map.of("a", 7L));
  }

  @Test
  void moreKeysAreAddedWhileTheOthersAreGonePast() {
    bypass.learn(false, true, false, Map.of("a", 7L));
    assertThat(bypass.learn(true, true, false, Map.of("b", 9L))).isFalse();
    assertThat(bypass.keys()).containsOnlyKeys("a", "b");
  }

  @Test
  void aKeyThatIsNotHeldBackGivesWayToOthers() {
    bypass.learn(false, true, false, Map.of("a", 7L));
    assertThat(bypass.learn(false, true, false, Map.of("b", 9L))).as("other keys").isTrue();
    assertThat(bypass.keys()).containsOnlyKeys("b");
  }

  @Test
  void theLowestSeqOfAKeyIsLearntAnewWhenItsRowsWereLookedAt() {
    bypass.learn(false, true, false, Map.of("a", 7L));
    assertThat(bypass.learn(false, true, false, Map.of("a", 8L))).isFalse();
    assertThat(bypass.keys()).isEqualTo(Map.of("a", 8L));
  }

  @Test
  void nothingIsKeptOnceAllRowsCanBeLookedAt() {
    bypass.learn(false, true, false, Map.of("a", 7L));
    assertThat(bypass.learn(true, false, true, Map.of())).isFalse();
    assertThat(bypass.keys()).containsOnlyKeys("a");
    assertThat(bypass.learn(false, false, true, Map.of())).isTrue();
    assertThat(bypass.keys()).isEmpty();
  }

  @Test
  void thereAreNeverTooManyKeys() {
    bypass.learn(false, true, false, Map.of("a", 7L));
    Map<String, Long> many =
        IntStream.range(0, Bypass.MOST_KEYS)
            .boxed()
            .collect(Collectors.toMap(i -> "k" + i, i -> (long) i));
    assertThat(bypass.learn(true, true, false, many)).isTrue();
    assertThat(bypass.keys()).hasSize(Bypass.MOST_KEYS);
  }
}
