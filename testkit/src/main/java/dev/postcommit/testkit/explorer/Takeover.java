package dev.postcommit.testkit.explorer;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Log;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Frees a log's cursor as relays do whose owner's session is gone, whether or not it is. */
final class Takeover {
  private Takeover() {}

  static void of(Layout layout, Stage.Role self) throws SQLException {
    String cursor = ((Log) layout.lifecycle()).cursor().sql();
    try (Connection connection = self.connections().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          UPDATE %s c SET owner = NULL, fence = c.fence + 1, until = '-infinity',
            undecided_until = greatest(c.undecided_until, c.until)
          WHERE c.owner IS NOT NULL AND c.until >= clock_timestamp()"""
              .formatted(cursor));
    }
  }
}
