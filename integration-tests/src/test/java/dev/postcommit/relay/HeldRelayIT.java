package dev.postcommit.relay;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Held rows, in each layout whose relays hold rows. */
@ParameterizedClass(name = "{0}")
@MethodSource("layouts")
record HeldRelayIT(String name, LayoutSample sample) {
  static Stream<Arguments> layouts() {
    return Stream.of(
        Arguments.of("LOGISTIK", Samples.LOGISTIK),
        Arguments.of("PACKFINDERZ", Samples.PACKFINDERZ),
        Arguments.of("POLYSHOP", Samples.POLYSHOP));
  }

  @Nested
  class Tests extends HeldRelay {
    Tests() {
      super(name, sample);
    }
  }
}
