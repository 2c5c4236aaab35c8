package dev.postcommit.examples.polyshop.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** R51: the trace of a request. */
class TraceFilterTest {

  @Test
  void theTraceOfARequestIsTheSameAsAUuid() {
    assertThat(TraceFilter.traceId("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        .isEqualTo(UUID.fromString("4bf92f35-77b3-4da6-a3ce-929d0e0e4736"));
  }

  @Test
  void whatNoEventCouldCarryIsTooLong() {
    assertThat(TraceFilter.isTooLong(null)).isFalse();
    assertThat(TraceFilter.isTooLong("k".repeat(200))).isFalse();
    assertThat(TraceFilter.isTooLong("k".repeat(201))).isTrue();
  }

  @Test
  void aRequestWithoutAProperTraceBeginsOne() {
    String none = "00-00000000000000000000000000000000-00f067aa0ba902b7-01";

    assertThat(TraceFilter.traceId(null)).isNotEqualTo(TraceFilter.traceId(null));
    assertThat(TraceFilter.traceId("nonsense")).isNotNull();
    assertThat(TraceFilter.traceId(none)).isNotEqualTo(new UUID(0, 0));
  }
}
