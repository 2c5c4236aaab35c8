package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventIdColumnTest {
  private static final EventIdColumn UUIDS = new EventIdColumn(EventIdColumn.Kind.UUID, "uuid", 0);
  private static final EventIdColumn NUMBERS =
      new EventIdColumn(EventIdColumn.Kind.NUMBER, "bigint", 0);
  private static final EventIdColumn TEXTS = new EventIdColumn(EventIdColumn.Kind.TEXT, "text", 0);

  @Test
  void aUuidIsTheSameInEitherCaseAndInOneFormOnly() {
    String id = "0192F0C1-7B1A-7C3D-8E4F-5A6B7C8D9E0F";

    assertThat(UUIDS.problem(id)).isNull();
    assertThat(UUIDS.canonical(id)).isEqualTo("0192f0c1-7b1a-7c3d-8e4f-5a6b7c8d9e0f");
    assertThat(UUIDS.problem(id.replace("-", ""))).contains("is not a UUID");
    assertThat(UUIDS.problem("{" + id + "}")).contains("is not a UUID");
  }

  @Test
  void aNumberIsTheSameWithLeadingZeros() {
    assertThat(NUMBERS.problem("-0042")).isNull();
    assertThat(NUMBERS.canonical("-0042")).isEqualTo("-42");
    assertThat(NUMBERS.problem("999999999999999999")).isNull();
    assertThat(NUMBERS.problem("9999999999999999999")).contains("is not a number");
    assertThat(NUMBERS.problem("1e3")).contains("is not a number");
    assertThat(NUMBERS.problem("٤٢")).contains("is not a number");
  }

  @Test
  void aTextIsItselfUpToWhatAnIndexHolds() {
    assertThat(TEXTS.problem("é".repeat(1_000))).isNull();
    assertThat(TEXTS.problem("é".repeat(1_001))).contains("longer than 2000 bytes");
    assertThat(TEXTS.canonical("A")).isEqualTo("A");
  }

  @Test
  void blanksAreNoIds() {
    assertThat(UUIDS.problem("")).contains("blank");
    assertThat(NUMBERS.problem(" ")).contains("blank");
    assertThat(TEXTS.problem("\t")).contains("blank");
  }
}
