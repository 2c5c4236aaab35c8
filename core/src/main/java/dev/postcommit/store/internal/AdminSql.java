package dev.postcommit.store.internal;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Role;
import java.util.Map;

/**
 * The operator's statements, rendered once for a layout.
 *
 * @param status one row of counts
 * @param listDead the oldest dead rows
 * @param listDeadIds the ids of all dead rows, the oldest first
 * @param findDead one dead row
 * @param replay makes dead rows pending
 * @param discard deletes dead rows
 * @param prune deletes some delivered rows older than a number of milliseconds
 */
record AdminSql(
    String status,
    String listDead,
    String listDeadIds,
    String findDead,
    String replay,
    String discard,
    String prune) {

  private static final String CLAIMED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} = 'pending'),
        (SELECT coalesce(sum(cardinality(ids)), 0) FROM {claims} WHERE until >= now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'dead'),
        least(
          (SELECT {created_at} FROM {table} WHERE {status} = 'pending' AND {due_at} IS NULL
           ORDER BY {seq} LIMIT 1),
          (SELECT min({created_at}) FROM {table}
           WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now())) AS oldest,
        now(),
        (SELECT count(DISTINCT owner) FROM {claims} WHERE until >= now())""";

  private static final String LEASED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} IN ('pending', 'processing')),
        (SELECT count(*) FROM {table} WHERE {status} = 'processing' AND {locked_until} >= now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'dead'),
        (SELECT {created_at} FROM {table}
         WHERE {status} IN ('pending', 'processing') AND {due_at} <= now()
         ORDER BY {created_at}, {id} LIMIT 1) AS oldest,
        now(),
        (SELECT count(DISTINCT {locked_by}) FROM {table}
         WHERE {status} = 'processing' AND {locked_until} >= now())""";

  private static final String DEAD =
      "SELECT {columns}, {last_error} FROM {table} t WHERE {status} = 'dead'";

  private static final String DEAD_IDS =
      "SELECT {id} FROM {table} WHERE {status} = 'dead' ORDER BY ";

  private static final String REPLAY =
      """
      UPDATE {table} SET {status} = 'pending', {attempts} = 0, {due_at} = {at_once}{touched}
      WHERE {id} = ANY (CAST(? AS {type_of_id}[])) AND {status} = 'dead'""";

  private static final String DISCARD =
      "DELETE FROM {table} WHERE {id} = ANY (CAST(? AS {type_of_id}[])) AND {status} = 'dead'";

  private static final String PRUNE =
      """
      DELETE FROM {table} WHERE {id} = ANY (ARRAY(
        SELECT {id} FROM {table}
        WHERE {status} = 'delivered' AND {settled_at} < now() - ? * interval '1 ms'
        LIMIT ?
        FOR UPDATE SKIP LOCKED))""";

  static AdminSql of(Layout layout) {
    boolean claimed = layout.lifecycle() instanceof Claimed;
    Role order = claimed ? Role.SEQ : Role.CREATED_AT;
    Map<String, String> names =
        Map.of(
            "claims",
                layout.lifecycle() instanceof Claimed lifecycle ? lifecycle.claims().sql() : "",
            "columns", new EventReader(layout).columns(),
            "at_once", claimed ? "NULL" : "now()",
            "touched",
                layout.column(Role.UPDATED_AT).map(c -> ", " + c.sql() + " = now()").orElse(""),
            "settled_at", layout.sql(claimed ? Role.DELIVERED_AT : Role.UPDATED_AT));
    SqlTemplate template = new SqlTemplate(layout);
    return new AdminSql(
        template.render(claimed ? CLAIMED_STATUS : LEASED_STATUS, names),
        template.render(DEAD, names) + " ORDER BY " + layout.sql(order) + " LIMIT ?",
        template.render(DEAD_IDS, names) + layout.sql(order),
        template.render(DEAD + " AND {id} = CAST(? AS {type_of_id})", names),
        template.render(REPLAY, names),
        template.render(DISCARD, names),
        template.render(PRUNE, names));
  }
}
