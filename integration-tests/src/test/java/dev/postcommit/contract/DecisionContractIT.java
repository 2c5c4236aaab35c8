package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** What operators decide about dead events, in every layout. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record DecisionContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(
          Samples.NATIVE,
          Samples.LOG,
          Samples.MODKIT,
          Samples.LOGISTIK,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP,
          Samples.POLYSHOP_MARKING);

  @Nested
  class Tests extends DecisionContract {
    Tests() {
      super(sample);
    }
  }
}
