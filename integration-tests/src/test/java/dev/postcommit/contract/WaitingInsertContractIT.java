package dev.postcommit.contract;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Writers that wait, in every layout. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record WaitingInsertContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(
          Samples.NATIVE,
          Samples.LOG,
          Samples.MODKIT,
          Samples.LOGISTIK,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP);

  @Nested
  class Tests extends WaitingInsertContract {
    Tests() {
      super(sample);
    }
  }
}
