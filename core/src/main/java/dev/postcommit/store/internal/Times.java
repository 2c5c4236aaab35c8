package dev.postcommit.store.internal;

import dev.postcommit.layout.Column;

/** Times in SQL. A column without a time zone holds UTC. */
final class Times {
  private Times() {}

  /** The time in a column, with its zone. */
  static String read(Column column) {
    return column.isLocalTime() ? column.sql() + " AT TIME ZONE 'UTC'" : column.sql();
  }

  /** A time with its zone, as the column takes it. */
  static String write(Column column, String time) {
    return column.isLocalTime() ? "(" + time + " AT TIME ZONE 'UTC')" : time;
  }
}
