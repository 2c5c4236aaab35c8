package dev.postcommit.contract;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Claiming and settling, in every layout. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record StoreContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(
          Samples.NATIVE,
          Samples.NATIVE_DELETING,
          Samples.LOG,
          Samples.MODKIT,
          Samples.MODKIT_DELETING,
          Samples.LOGISTIK,
          Samples.LOGISTIK_DELETING,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP,
          Samples.POLYSHOP_DELETING,
          Samples.HELD_NATIVE);

  @Nested
  class Tests extends StoreContract {
    Tests() {
      super(sample);
    }
  }
}
