package dev.postcommit.contract;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Order per key, in every layout. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record OrderContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(
          Samples.NATIVE,
          Samples.LOG,
          Samples.MODKIT,
          Samples.LOGISTIK,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP,
          Samples.HELD_NATIVE);

  @Nested
  class Tests extends OrderContract {
    Tests() {
      super(sample);
    }
  }
}
