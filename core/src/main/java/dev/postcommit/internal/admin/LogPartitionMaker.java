package dev.postcommit.internal.admin;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.admin.LogPartitions.Partition;
import dev.postcommit.internal.admin.LogPartitions.Range;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.support.OneTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the next partition of a log without making writers wait.
 *
 * <p>To attach a partition, Postgres makes sure that the default partition has no row of its range,
 * and locks the default partition against writers meanwhile. It reads all rows for that, unless a
 * valid CHECK says so already. So if there are more than a few, such a constraint is added first
 * without being checked, which takes a moment; then validated, which takes long and blocks no
 * writer; and dropped together with the attaching, which is short again.
 *
 * <p>While the constraint is there, a row of that range could not be written. So the range begins
 * at least {@link #MARGIN} numbers ahead, and what a relay left behind is used or removed by the
 * next one that leads. Each step is a transaction that gives up soon and may be repeated: if a
 * relay dies between two of them, there is a table that is no partition yet, or a constraint, or
 * both. Relays that do it at the same time find the table and the constraint of the other; the
 * second one to attach finds neither, fails and starts over.
 */
final class LogPartitionMaker {

  /** How the names of our constraints begin; the range follows. */
  static final String PREFIX = "postcommit_kept_free_";

  /**
   * How many numbers are given out at least before those of the range: more than writers use while
   * the constraint is validated, and while another relay takes over.
   */
  static final long MARGIN = 4_000_000;

  /** What is read within a few milliseconds. */
  private static final long FEW_BYTES = 4L * 1024 * 1024;

  /** Of a statement for which writers wait; it includes the wait for its lock. */
  private static final String BRIEFLY = "SET LOCAL statement_timeout = '90ms'";

  /** Nobody waits for this one, nor behind it; it gives up before a relay's connection does. */
  private static final String LONG =
      "SELECT set_config('lock_timeout', '5s', true), set_config('statement_timeout', '50s', true)";

  /**
   * The default partition.
   *
   * @param name its name, quoted and with its schema
   * @param leftovers the names of our constraints on it
   */
  private record Rest(String name, long bytes, List<String> leftovers) {}

  /** Partitions belong to the owner of the table, so a member of that role acts as the owner. */
  private static final NamedSql OWNER =
      NamedSql.of(
          """
      SELECT format('SET LOCAL ROLE %I', pg_get_userbyid(relowner)) AS statement FROM pg_class
      WHERE oid = CAST(:table AS regclass)
        AND pg_get_userbyid(relowner) <> current_user AND pg_has_role(relowner, 'MEMBER')""");

  private final Connection connection;
  private final Layout layout;
  private final LogAdminSql sql;
  private List<String> asOwner = List.of();

  LogPartitionMaker(Connection connection, Layout layout, LogAdminSql sql) {
    this.connection = connection;
    this.layout = layout;
    this.sql = sql;
  }

  /**
   * Creates the next partition if the last one is half used up.
   *
   * @param number the highest number given out, or some that is a little lower
   * @return the number up to which there are partitions now
   */
  long extend(long number) throws SQLException {
    asOwner = asOwner();
    List<Partition> partitions = LogPartitions.of(connection, sql);
    Optional<Rest> rest = rest();
    long enough = LogPartitions.enough(partitions, number);
    if (enough > number) {
      if (rest.isPresent()) {
        removeLeftovers(rest.get(), "");
      }
      return enough;
    }
    boolean isLarge = rest.isPresent() && rest.get().bytes() > FEW_BYTES;
    Range range = LogPartitions.range(partitions, number, isLarge ? MARGIN : 0);
    String constraint = PREFIX + range.lower() + "_" + range.upper();
    if (rest.isPresent()) {
      removeLeftovers(rest.get(), isLarge ? constraint : "");
      requireFree(rest.get(), range);
    }
    TableName partition = name(range);
    create(partition);
    if (isLarge) {
      keepFree(rest.get(), range, constraint);
      // Fails if another relay was faster, and has dropped it already.
      attach(
          partition,
          range,
          "ALTER TABLE %s DROP CONSTRAINT %s".formatted(rest.get().name(), constraint));
    } else {
      attach(partition, range);
    }
    return range.upper();
  }

  /** The statement that switches to the owner's role; none if that is not needed or not allowed. */
  private List<String> asOwner() throws SQLException {
    return OWNER.run(
        connection,
        to -> to.set("table", layout.table().sql()).rows(row -> row.getString("statement")));
  }

  private Optional<Rest> rest() throws SQLException {
    return sql.rest()
        .run(
            connection,
            to ->
                to.optionalRow(
                    row ->
                        new Rest(
                            row.getString("name"),
                            row.getLong("bytes"),
                            Database.ids(row.getArray("leftovers")))));
  }

  private void removeLeftovers(Rest rest, String wanted) throws SQLException {
    for (String leftover : rest.leftovers()) {
      if (!leftover.equals(wanted)) {
        removeConstraint(rest, leftover);
      }
    }
  }

  private void removeConstraint(Rest rest, String constraint) throws SQLException {
    run(
        LogPartitions.PATIENCE,
        BRIEFLY,
        "ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s".formatted(rest.name(), constraint));
  }

  /** Refuses a range with rows: their numbers were chosen by hand, or the sequence was set back. */
  private void requireFree(Rest rest, Range range) throws SQLException {
    if (hasRows("%s WHERE %s".formatted(rest.name(), within(range)))) {
      throw new PostcommitException(
          "could not create a partition of %s for the numbers from %d to %d: %s has rows of these; it is tried again further up"
              .formatted(layout.table(), range.lower(), range.upper() - 1, rest.name()));
    }
  }

  /** With its indexes, which would otherwise be made while writers wait. */
  private void create(TableName partition) throws SQLException {
    run(
        LogPartitions.PATIENCE,
        "CREATE TABLE IF NOT EXISTS %s (LIKE %s INCLUDING DEFAULTS INCLUDING INDEXES)"
            .formatted(partition.sql(), layout.table().sql()));
    if (hasRows(partition.sql())) {
      throw new PostcommitException(
          "could not create a partition of %s: there is a table %s with rows that is none of its partitions; rename it"
              .formatted(layout.table(), partition));
    }
  }

  private void keepFree(Rest rest, Range range, String constraint) throws SQLException {
    if (!rest.leftovers().contains(constraint)) {
      run(
          LogPartitions.PATIENCE,
          BRIEFLY,
          "ALTER TABLE %s ADD CONSTRAINT %s CHECK (NOT (%s)) NOT VALID"
              .formatted(rest.name(), constraint, within(range)));
    }
    try {
      run(LONG, "ALTER TABLE %s VALIDATE CONSTRAINT %s".formatted(rest.name(), constraint));
    } catch (SQLException e) {
      try {
        removeConstraint(rest, constraint);
      } catch (SQLException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
  }

  private void attach(TableName partition, Range range, String... more) throws SQLException {
    List<String> statements = new ArrayList<>(List.of(LogPartitions.PATIENCE, BRIEFLY));
    statements.add(
        "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%d) TO (%d)"
            .formatted(layout.table().sql(), partition.sql(), range.lower(), range.upper()));
    statements.addAll(List.of(more));
    run(statements.toArray(String[]::new));
  }

  private String within(Range range) {
    return "%1$s >= %2$d AND %1$s < %3$d"
        .formatted(layout.sql(Role.SEQ), range.lower(), range.upper());
  }

  private TableName name(Range range) {
    boolean isWhole = range.lower() % LogPartitions.SIZE == 0;
    long number = isWhole ? range.lower() / LogPartitions.SIZE : range.lower();
    return layout.table().withSuffix("_" + number);
  }

  /** Sends the whole transaction in one round trip, since writers wait while it runs. */
  private void run(String... statements) throws SQLException {
    try (NamedStatement statement = transaction(statements)) {
      statement.update();
    }
  }

  private boolean hasRows(String from) throws SQLException {
    try (NamedStatement statement =
        transaction("SELECT EXISTS (SELECT FROM %s) AS found".formatted(from))) {
      return statement.row(row -> row.getBoolean("found"));
    }
  }

  private NamedStatement transaction(String... statements) throws SQLException {
    return NamedSql.of(
            OneTransaction.of(
                Stream.concat(asOwner.stream(), Stream.of(statements)).toArray(String[]::new)))
        .prepare(connection);
  }
}
