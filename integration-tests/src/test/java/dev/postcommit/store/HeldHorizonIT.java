package dev.postcommit.store;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Held horizons, in the layouts that look for events from a floor on. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record HeldHorizonIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS = List.of(Samples.NATIVE, Samples.LOG, Samples.MODKIT);

  @Nested
  class Tests extends HeldHorizon {
    Tests() {
      super(sample);
    }

    @Override
    boolean mostCounts() {
      return !sample.equals(Samples.MODKIT);
    }
  }
}
