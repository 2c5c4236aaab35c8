package dev.postcommit.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableNameTest {
  @Test
  void readsATableWithAndWithoutSchema() {
    assertThat(TableName.of("outbox").sql()).isEqualTo("\"outbox\"");
    assertThat(TableName.of("shop.outbox").sql()).isEqualTo("\"shop\".\"outbox\"");
    assertThat(TableName.of("shop.outbox").withSuffix("_claim"))
        .isEqualTo(new TableName("shop", "outbox_claim"));
  }

  @Test
  void refusesWhatIsNotAName() {
    for (String text : new String[] {"", " ", "a b", "a;b", "a\"b", "a.b.c", "1a", ".a", "a."}) {
      assertThatThrownBy(() -> TableName.of(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not a table name");
    }
    assertThatThrownBy(() -> TableName.of("x".repeat(64))).hasMessageContaining("not a table name");
  }
}
