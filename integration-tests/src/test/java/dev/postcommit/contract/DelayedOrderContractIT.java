package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DelayedOrderContract;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Where delayed events come, in the layouts that keep order among them. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record DelayedOrderContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(Samples.NATIVE, Samples.MODKIT, Samples.LOGISTIK, Samples.HELD_NATIVE);

  @Nested
  class Tests extends DelayedOrderContract {
    Tests() {
      super(sample);
    }
  }
}
