package dev.postcommit.internal.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HotKeysTest {
  private final HotKeys hotKeys = new HotKeys();

  @Test
  void aClaimThatSeesNothingElseLearnsTheKeys() {
    assertThat(hotKeys.learn(false, true, false, Map.of("a", 7L))).isFalse();
    assertThat(hotKeys.keys()).isEqualTo(Map.of("a", 7L));
  }

  @Test
  void moreKeysAreAddedWhileTheOthersAreSkipped() {
    hotKeys.learn(false, true, false, Map.of("a", 7L));
    assertThat(hotKeys.learn(true, true, false, Map.of("b", 9L))).isFalse();
    assertThat(hotKeys.keys()).containsOnlyKeys("a", "b");
  }

  @Test
  void aKeyThatIsNotHeldBackGivesWayToOthers() {
    hotKeys.learn(false, true, false, Map.of("a", 7L));
    assertThat(hotKeys.learn(false, true, false, Map.of("b", 9L))).as("other keys").isTrue();
    assertThat(hotKeys.keys()).containsOnlyKeys("b");
  }

  @Test
  void theLowestSeqOfAKeyIsLearntAnewWhenItsRowsWereScanned() {
    hotKeys.learn(false, true, false, Map.of("a", 7L));
    assertThat(hotKeys.learn(false, true, false, Map.of("a", 8L))).isFalse();
    assertThat(hotKeys.keys()).isEqualTo(Map.of("a", 8L));
  }

  @Test
  void nothingIsKeptOnceAllRowsCanBeScanned() {
    hotKeys.learn(false, true, false, Map.of("a", 7L));
    assertThat(hotKeys.learn(true, false, true, Map.of())).isFalse();
    assertThat(hotKeys.keys()).containsOnlyKeys("a");
    assertThat(hotKeys.learn(false, false, true, Map.of())).isTrue();
    assertThat(hotKeys.keys()).isEmpty();
  }

  @Test
  void thereAreNeverTooManyKeys() {
    hotKeys.learn(false, true, false, Map.of("a", 7L));
    Map<String, Long> many =
        IntStream.range(0, HotKeys.MOST_KEYS)
            .boxed()
            .collect(Collectors.toMap(i -> "k" + i, i -> (long) i));
    assertThat(hotKeys.learn(true, true, false, many)).isTrue();
    assertThat(hotKeys.keys()).hasSize(HotKeys.MOST_KEYS);
  }
}
