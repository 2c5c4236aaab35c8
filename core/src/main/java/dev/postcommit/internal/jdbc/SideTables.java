package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import java.util.Optional;

/** The tables that keep failures and headers of events that have no columns for them. */
public final class SideTables {
  private static final String DELETE =
      """
      ,
      %s AS (
        DELETE FROM %s WHERE id IN (SELECT id FROM %s))""";

  private SideTables() {}

  /** Further parts of a WITH list that delete all that is kept of the events in {@code ids}. */
  public static String delete(Layout layout, String ids) {
    return deleteFailures(layout, ids) + delete("headers_gone", layout.headers(), ids);
  }

  /** A further part of a WITH list that deletes the failures of the events in {@code ids}. */
  public static String deleteFailures(Layout layout, String ids) {
    return delete("failures_gone", layout.failures(), ids);
  }

  private static String delete(String name, Optional<TableName> table, String ids) {
    return table.map(t -> DELETE.formatted(name, t.sql(), ids)).orElse("");
  }
}
