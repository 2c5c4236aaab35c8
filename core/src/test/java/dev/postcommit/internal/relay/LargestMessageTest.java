package dev.postcommit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Outbox;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LargestMessageTest {
  /** Kafka's default of max.request.size. */
  private static final int MEBIBYTE = 1024 * 1024;

  private static LargestMessage of(int accepted, int taken) {
    return new LargestMessage(accepted, OptionalInt.of(taken));
  }

  @Test
  void theDefaultsFitEachOther() {
    assertThat(of(Outbox.DEFAULT_MAX_PAYLOAD_BYTES, MEBIBYTE).problem()).isEmpty();
    assertThat(of(Outbox.DEFAULT_MAX_PAYLOAD_BYTES, MEBIBYTE - 1).problem()).isPresent();
    assertThat(of(Outbox.DEFAULT_MAX_PAYLOAD_BYTES + 1, MEBIBYTE).problem()).isPresent();
  }

  @Test
  void aGapIsToldWithBothNumbersAndWhatToDo() {
    assertThat(of(5_000_000, MEBIBYTE).problem().orElseThrow())
        .contains("5000000", "5048576", "1048576")
        .contains("max.request.size", "max.message.bytes", "maxPayloadBytes(1000000)");
    assertThat(of(1, 100).problem().orElseThrow()).doesNotContain("maxPayloadBytes");
  }

  @Test
  void aPublisherThatDoesNotSayIsTrusted() {
    assertThat(new LargestMessage(Integer.MAX_VALUE, OptionalInt.empty()).problem()).isEmpty();
  }
}
