package dev.postcommit.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.support.OneTransaction;
import org.junit.jupiter.api.Test;

class NamedSqlTest {

  @Test
  void aParameterStandsWhereverItsNameDoes() {
    NamedSql sql = NamedSql.of("SELECT :id, :rows WHERE a = :id AND b = :max_attempts");
    assertThat(sql.text()).isEqualTo("SELECT ?, ? WHERE a = ? AND b = ?");
    assertThat(sql.positions("id")).containsExactly(1, 3);
    assertThat(sql.positions("rows")).containsExactly(2);
    assertThat(sql.positions("max_attempts")).containsExactly(4);
  }

  @Test
  void castsAndQuotedTextStayAsTheyAre() {
    String text = "SELECT a::text, ':b', 'it''s :c', \"d:e\", $1 FROM t";
    assertThat(NamedSql.of(text).text()).isEqualTo(text);
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> NamedSql.of("SELECT :id").positions("ids"))
        .hasMessageContaining(":ids")
        .hasMessageContaining("SELECT ?");
  }

  @Test
  void theLastResultIsThatOfTheLastStatementBeforeCommit() {
    assertThat(NamedSql.of("SELECT 1").lastResult()).isZero();
    assertThat(NamedSql.of("SELECT ';'").lastResult()).isZero();
    assertThat(NamedSql.of("SELECT 1;\nSELECT 2").lastResult()).isEqualTo(1);
    assertThat(NamedSql.of(OneTransaction.of("SELECT 1", "SELECT 2")).lastResult()).isEqualTo(2);
  }
}
