package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** What operators see and prune, in every layout. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record AdminContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(
          Samples.NATIVE,
          Samples.NATIVE_DELETING,
          Samples.LOG,
          Samples.MODKIT,
          Samples.MODKIT_DELETING,
          Samples.LOGISTIK,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP,
          Samples.POLYSHOP_MARKING,
          Samples.HELD_NATIVE);

  @Nested
  class Tests extends AdminContract {
    Tests() {
      super(sample);
    }
  }
}
