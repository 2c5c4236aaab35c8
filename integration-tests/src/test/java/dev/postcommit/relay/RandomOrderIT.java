package dev.postcommit.relay;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Relays whose deliveries fail at random, in every layout. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record RandomOrderIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(
          Samples.NATIVE,
          Samples.LOG,
          Samples.MODKIT,
          Samples.LOGISTIK,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP);

  @Nested
  class Tests extends RandomOrder {
    Tests() {
      super(sample);
    }
  }
}
