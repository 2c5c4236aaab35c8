package dev.postcommit.store;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Forgotten claims, in the layouts whose claims are leases. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record ForgottenClaimsIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS = List.of(Samples.NATIVE, Samples.MODKIT);

  @Nested
  class Tests extends ForgottenClaims {
    Tests() {
      super(sample);
    }
  }
}
