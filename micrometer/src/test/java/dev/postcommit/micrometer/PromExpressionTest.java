package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The reading of expressions that the checks of dashboard and alerts rely on. */
class PromExpressionTest {

  @Test
  void tellsMetricsLabelsAndFunctionsApart() {
    PromExpression read =
        PromExpression.of(
            "histogram_quantile(0.99, sum by (le, topic) (rate(a_bucket{table=~\"$t(\"}[5m])))"
                + " > 30 unless on (table) b == 1");

    assertThat(read.metrics()).isEqualTo(Map.of("a_bucket", Set.of("table"), "b", Set.of()));
    assertThat(read.labels()).containsExactly("le", "table", "topic");
    assertThat(read.functions()).containsExactly("histogram_quantile", "rate", "sum");
  }

  @Test
  void refusesWhatIsNotBalanced() {
    for (String wrong : new String[] {"sum(a", "a)", "a{b=\"c\"", "sum(a{)}", "a[5m", "a{b=\"c}"}) {
      assertThatThrownBy(() -> PromExpression.of(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusesARangeThatIsNone() {
    assertThatThrownBy(() -> PromExpression.of("rate(a[5 minutes])"))
        .hasMessageContaining("5 minutes");
  }
}
