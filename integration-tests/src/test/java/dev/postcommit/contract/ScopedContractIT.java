package dev.postcommit.contract;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.ScopedContract;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Dedupe keys, namespaces and tenants, in the layouts whose claims can be scoped. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record ScopedContractIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(Samples.NATIVE, Samples.MODKIT, Samples.HELD_NATIVE, Samples.HELD_WITHOUT_DUE);

  @Nested
  class Tests extends ScopedContract {
    Tests() {
      super(sample);
    }
  }
}
