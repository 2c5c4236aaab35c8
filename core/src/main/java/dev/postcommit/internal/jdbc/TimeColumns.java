package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Column;

/** Times in SQL. A column without a time zone holds UTC. */
public final class TimeColumns {
  private TimeColumns() {}

  /** The time in a column, with its zone. */
  public static String read(Column column) {
    return column.isLocalTime() ? column.sql() + " AT TIME ZONE 'UTC'" : column.sql();
  }

  /** A time with its zone, as the column takes it. */
  public static String write(Column column, String time) {
    return column.isLocalTime() ? "(" + time + " AT TIME ZONE 'UTC')" : time;
  }
}
