package dev.postcommit.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.bench.run.Comparison;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntrantTest {
  private static List<String> ids(List<Entrant> entrants) {
    return entrants.stream().map(Entrant::id).toList();
  }

  @Test
  void nativeAndLogTakePartWherePeersDoAndOurOtherLayoutsDoNot() {
    assertThat(ids(Entrant.ALL.stream().filter(Entrant::isMainOrPeer).toList()))
        .containsExactly(
            "postcommit-native",
            "postcommit-log",
            "gruelbox",
            "namastack",
            "modulith",
            "db-scheduler",
            "debezium");
  }

  @Test
  void aQuickRunHasAllOfTheseAndTheLimits() {
    assertThat(Comparison.quickContenders())
        .hasSize(10)
        .contains("postcommit-native", "postcommit-log", "debezium", "plain-insert")
        .doesNotContain("postcommit-native-deleting", "postcommit-modkit");
  }
}
