package dev.postcommit.internal.check;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Finds what makes tables unfit for a relay though nothing about their columns is: a restore that
 * is under way, and numbers that are not given out in order. Both can begin while a relay runs, so
 * this is one small query.
 *
 * <p>A restore creates a primary key after the rows of its table, and that of a partitioned table
 * becomes valid with that of its last partition. So where all keys are valid, all rows are there:
 * none is taken for delivered, or sent without its headers, because the rest follows later.
 *
 * <p>A session that takes several numbers at once uses them later than others use higher ones, so
 * numbers say nothing about the order of commits.
 */
public final class Readiness {

  private static final NamedSql PROBLEMS =
      NamedSql.of(
          """
      SELECT n AS object, CAST(NULL AS text) AS settings
      FROM unnest(CAST(:keyed AS text[])) n
      WHERE to_regclass(n) IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_index i
        WHERE i.indrelid = to_regclass(n) AND i.indisprimary AND i.indisvalid)
      UNION ALL
      SELECT CAST(CAST(s.seqrelid AS regclass) AS text),
        concat('cache ', s.seqcache, ', increment ', s.seqincrement,
          CASE WHEN s.seqcycle THEN ', cycle' END)
      FROM pg_sequence s
      WHERE (s.seqcache <> 1 OR s.seqincrement <> 1 OR s.seqcycle)
        AND s.seqrelid IN (
          SELECT d.objid
          FROM pg_attribute a JOIN pg_depend d ON d.refclassid = CAST('pg_class' AS regclass)
            AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
          WHERE a.attrelid = to_regclass(:table) AND a.attname = :numbers
            AND d.classid = CAST('pg_class' AS regclass) AND d.deptype IN ('a', 'i')
          UNION ALL
          SELECT d.refobjid
          FROM pg_attribute a
            JOIN pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
            JOIN pg_depend d ON d.classid = CAST('pg_attrdef' AS regclass) AND d.objid = f.oid
          WHERE a.attrelid = to_regclass(:table) AND a.attname = :numbers
            AND d.refclassid = CAST('pg_class' AS regclass))""");

  private Readiness() {}

  /**
   * What keeps a relay from claiming now, each with what to do.
   *
   * @throws PostcommitException if the database cannot be asked
   */
  public static List<String> problems(DataSource dataSource, Layout layout) {
    return new Database(dataSource, layout).run("check", c -> problems(c, layout));
  }

  /** Those of the layout's tables, and of the tables to which its events are diverted. */
  public static List<String> problems(Connection connection, Layout layout) throws SQLException {
    List<String> problems = new ArrayList<>(own(connection, layout));
    if (layout.diverted().isPresent()) {
      problems.addAll(own(connection, layout.diverted().get()));
    }
    return problems;
  }

  /** Those of the layout's own tables. */
  static List<String> own(Connection connection, Layout layout) throws SQLException {
    List<String> problems = new ArrayList<>();
    List<String> unrestored = new ArrayList<>();
    PROBLEMS.run(
        connection,
        to ->
            to.setTexts("keyed", keyed(layout).stream().map(TableName::sql).toList())
                .set("table", layout.table().sql())
                .set("numbers", layout.column(Role.SEQ).map(Column::name).orElse(""))
                .forEach(
                    row -> {
                      String object = row.getString("object");
                      String settings = row.getString("settings");
                      if (settings == null) {
                        unrestored.add(object.replace("\"", ""));
                      } else {
                        problems.add(outOfOrder(object, settings));
                      }
                    }));
    if (!unrestored.isEmpty()) {
      problems.add(0, unrestored(unrestored));
    }
    return problems;
  }

  private static String unrestored(List<String> tables) {
    return "there is no valid primary key on %s: a restore is under way, or was not completed; wait for it, or create the key once all rows are there"
        .formatted(String.join(", ", tables));
  }

  private static String outOfOrder(String sequence, String settings) {
    return "sequence %1$s gives out numbers in another order than one by one (%2$s); ALTER SEQUENCE %1$s INCREMENT 1 CACHE 1 NO CYCLE, then reconnect the writers, as a session may keep numbers that it has cached"
        .formatted(sequence, settings);
  }

  /** The tables that are of no use before all their rows are there, and have a primary key. */
  private static List<TableName> keyed(Layout layout) {
    List<TableName> tables = new ArrayList<>();
    layout.cursor().ifPresent(cursor -> tables.addAll(List.of(layout.table(), cursor)));
    layout.claims().ifPresent(tables::add);
    layout.dedupeKeys().ifPresent(tables::add);
    layout.failures().ifPresent(tables::add);
    layout.headers().ifPresent(tables::add);
    tables.add(layout.pause());
    return tables;
  }
}
