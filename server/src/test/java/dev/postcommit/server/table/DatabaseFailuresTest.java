package dev.postcommit.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class DatabaseFailuresTest {
  private static final OutboxTable TABLE =
      new OutboxTable("jdbc:postgresql://db/app", "ada", null, Layout.nativeTable());

  private static String explained(String message, String state) {
    SQLException failure = new SQLException(message, state);
    return DatabaseFailures.explain(new PostcommitException("could not", failure), TABLE)
        .orElseThrow();
  }

  @Test
  void aFullDiskIsNamed() {
    assertThat(explained("ERROR: could not extend file: No space left on device", "53100"))
        .isEqualTo(
            "the disk of the database jdbc:postgresql://db/app is full: ERROR: could not extend"
                + " file: No space left on device; make room, and nothing is lost");
  }

  @Test
  void missingPrivilegesSayWhatPrintsThem() {
    assertThat(explained("ERROR: permission denied for table postcommit_outbox_audit", "42501"))
        .endsWith("postcommit_outbox_audit; 'postcommit grants' prints what to grant");
  }
}
