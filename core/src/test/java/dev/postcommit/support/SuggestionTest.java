package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
  private static final List<String> KNOWN =
      List.of("--lease", "--layout", "--batch-size", "--json");

  @Test
  void theClosestNameIsOffered() {
    assertThat(Suggestion.closest("--lese", KNOWN)).contains("--lease");
    assertThat(Suggestion.closest("--batchsize", KNOWN)).contains("--batch-size");
    assertThat(Suggestion.closest("--josn", KNOWN)).contains("--json");
  }

  @Test
  void nothingIsOfferedForANameThatIsFarOff() {
    assertThat(Suggestion.closest("--what-is-this", KNOWN)).isEmpty();
    assertThat(Suggestion.closest("x", List.of())).isEmpty();
  }

  @Test
  void nothingIsOfferedForAnEndlessName() {
    String known = "x".repeat(200);
    assertThat(Suggestion.closest("y" + known.substring(1), List.of(known))).contains(known);
    assertThat(Suggestion.closest(known + "y", List.of(known))).isEmpty();
  }

  @Test
  void theOfferIsPartOfASentence() {
    assertThat(Suggestion.didYouMean("--lese", KNOWN)).isEqualTo("; did you mean --lease?");
    assertThat(Suggestion.didYouMean("--what-is-this", KNOWN)).isEmpty();
  }

  @Test
  void aSwapOfNeighboursIsOneStep() {
    assertThat(Suggestion.distance("josn", "json")).isEqualTo(1);
    assertThat(Suggestion.distance("", "abc")).isEqualTo(3);
    assertThat(Suggestion.distance("same", "same")).isZero();
  }
}
