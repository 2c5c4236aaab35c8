package dev.postcommit.testkit.explorer.log;

import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * Loads rows of another cluster into a log, and then creates its primary key, as a restore does.
 */
final class Restore {

  /** What a restore ends with, unless it has. */
  static final String COMPLETED =
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'postcommit_log_pkey') THEN
          ALTER TABLE postcommit_log ADD PRIMARY KEY (seq);
        END IF;
      END $$""";

  /** Low ids of the other cluster, which every snapshot of this one sees. */
  private static final String LOAD =
      """
      INSERT INTO postcommit_log (xid, seq, id, topic, type, key, payload)
      OVERRIDING SYSTEM VALUE
      SELECT CAST(? AS xid8), last_value + 100 + ?, CAST(? AS uuid), 't', 't', ?, '\\x7b7d'
      FROM postcommit_log_seq""";

  private Restore() {}

  static void play(LogRun run, Stage.Role self) throws SQLException {
    try (Connection connection = self.connections(run.mutation()).getConnection();
        Statement statement = connection.createStatement()) {
      for (int i = 1; i <= 2; i++) {
        String event = "a" + i;
        UUID id = run.nextId();
        int transaction = run.history().beginTransaction();
        try (PreparedStatement load = connection.prepareStatement(LOAD)) {
          load.setString(1, Integer.toString(3 + i));
          load.setInt(2, i);
          load.setObject(3, id);
          load.setString(4, "a");
          self.atNextStep(
              () -> run.history().inserts(id.toString(), event, "a", transaction, null));
          load.executeUpdate();
        }
        run.history().committed(transaction);
      }
      statement.execute("ALTER TABLE postcommit_log ADD PRIMARY KEY (seq)");
    }
  }
}
