package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.Mutation.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.Explorer.Failure;
import dev.postcommit.testkit.explorer.relay.RelayScenario;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Faults in statements of whole relays, each of which is found. */
@EnabledIfEnvironmentVariable(
    named = "POSTCOMMIT_TEST_ALL",
    matches = "true",
    disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it")
class RelayMutationsIT {
  private static final long MOST = 1_000;
  private static final String ORDER = "which was written first";

  /** A fault in the statements of relays, and the words by which it is told. */
  private record Fault(
      String name, RelayScenario scenario, UnaryOperator<String> change, String words) {

    void isFound() throws SQLException {
      try (Explorer explorer = Explorer.of(scenario.mutation(change))) {
        Failure failure = explorer.random(1, MOST).failure().orElseThrow();
        System.out.printf("mutation | %s | %d | %s%n", name, failure.after(), failure.problem());
        assertThat(failure.problem()).containsPattern(words);
      }
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault(
            "native relays: busy keys are not passed over",
            RelayScenario.onNative(),
            replace("NOT IN \\(\\s+SELECT unnest\\(keys\\) FROM busy\\)", "IS NOT NULL"),
            ORDER),
        new Fault(
            "modkit relays: busy keys are not passed over",
            RelayScenario.onModkit(),
            replace("NOT IN \\(SELECT key FROM busy\\)", "IS NOT NULL"),
            ORDER),
        new Fault(
            "log relays: the floor is one too high",
            RelayScenario.onLog(),
            replace("SELECT last_value - CASE WHEN", "SELECT last_value + 1 - CASE WHEN"),
            ORDER + "|was lost|as delivered, and it is not"),
        new Fault(
            "log relays: stragglers are left out",
            RelayScenario.onLog(),
            replace("WHERE xid = ANY \\(ARRAY\\(", "WHERE false AND xid = ANY (ARRAY("),
            "was lost|as delivered, and it is not"));
  }

  @TestFactory
  Stream<DynamicTest> isFound() {
    return faults().map(fault -> dynamicTest(fault.name(), fault::isFound));
  }
}
