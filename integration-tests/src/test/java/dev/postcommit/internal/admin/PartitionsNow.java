package dev.postcommit.internal.admin;

import dev.postcommit.layout.Layout;
import java.sql.Connection;
import java.sql.SQLException;

/** Makes the next partition of a log as relays do, but in the thread that asks for it. */
public final class PartitionsNow {
  private PartitionsNow() {}

  /**
   * Makes it if it is time, given the highest number that is known; returns the number up to which
   * there are partitions then.
   */
  public static long extend(Connection connection, Layout layout, long number) throws SQLException {
    LogAdminSql sql = new LogAdminSql(layout);
    return new LogPartitionMaker(connection, layout, sql).extend(number);
  }
}
