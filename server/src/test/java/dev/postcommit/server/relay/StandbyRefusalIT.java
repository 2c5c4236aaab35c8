package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.store.Grants;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A relay that is to wait for standbys, and may not see them. */
class StandbyRefusalIT {
  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  @DisplayName("it does not start, and names the GRANT")
  void itDoesNotStart() throws SQLException {
    fixture.migrate();
    fixture.execute("CREATE ROLE blind_relay LOGIN");
    for (String grant : Grants.relay(Layout.nativeTable(), true, "blind_relay")) {
      fixture.execute(grant);
    }
    try {
      assertThat(
              terminal.run(
                  "relay",
                  "--database-user=blind_relay",
                  "--kafka-bootstrap-servers=localhost:1",
                  "--wait-for-standbys=1",
                  "--standby-names=replica1"))
          .isEqualTo(1);
      assertThat(terminal.err())
          .contains(
              "user blind_relay is not a member of pg_read_all_stats; GRANT pg_read_all_stats TO"
                  + " blind_relay")
          .doesNotContain("may not");
    } finally {
      fixture.execute("DROP OWNED BY blind_relay");
      fixture.execute("DROP ROLE blind_relay");
    }
  }
}
