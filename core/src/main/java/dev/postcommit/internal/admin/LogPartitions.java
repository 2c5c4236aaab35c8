package dev.postcommit.internal.admin;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The partitions of a log.
 *
 * <p>Each has the rows of ten million numbers. There is one more for the rows of all other numbers,
 * so that writers never find none; the rows in it are not in the way of partitions to come.
 */
final class LogPartitions {
  /** How many numbers a partition has. */
  static final long SIZE = 10_000_000;

  /** Limits how long a statement waits for a partition, since writers queue behind it. */
  static final String PATIENCE = "SET LOCAL lock_timeout = '50ms'";

  /**
   * One partition.
   *
   * @param name its name, quoted and with its schema
   * @param lower its lowest number
   * @param upper the number after its highest
   * @param isOurs whether it is named as relays name those they make
   * @param mayDrop whether the present user owns it
   */
  record Partition(String name, long lower, long upper, boolean isOurs, boolean mayDrop) {
    boolean has(long number) {
      return lower <= number && number < upper;
    }
  }

  /** The numbers of a new partition. */
  record Range(long lower, long upper) {}

  private LogPartitions() {}

  static List<Partition> of(Connection connection, LogAdminSql sql) throws SQLException {
    return sql.partitions()
        .run(
            connection,
            to ->
                to.rows(
                    row ->
                        new Partition(
                            row.getString("name"),
                            row.getLong("lower"),
                            row.getLong("upper"),
                            row.getBoolean("is_ours"),
                            row.getBoolean("may_drop"))));
  }

  /**
   * The number after the highest for which nothing needs to be done yet, once {@code number} is
   * given out; that number itself if a partition is to be made.
   *
   * <p>Enough is a partition that has half of {@link #SIZE} to go, and is not too far ahead.
   */
  static long enough(List<Partition> partitions, long number) {
    return partitions.stream()
        .filter(p -> p.upper() - SIZE / 2 > number && p.lower() <= next(number))
        .mapToLong(Partition::upper)
        .max()
        .orElse(number);
  }

  /**
   * The numbers of the partition to be made next. It follows the one that has {@code number}. Where
   * none has it, rows of such numbers are elsewhere already, and it begins well ahead of them. It
   * does not overlap any other partition.
   *
   * @param margin how many numbers must at least come before its first one
   */
  static Range range(List<Partition> partitions, long number, long margin) {
    boolean follows =
        partitions.stream().anyMatch(p -> p.has(number) && p.upper() - number > margin);
    long lower = follows ? number : next(number);
    for (Partition partition : partitions) {
      if (partition.has(lower)) {
        lower = partition.upper();
      }
    }
    long begin = lower;
    long upper =
        partitions.stream()
            .mapToLong(Partition::lower)
            .filter(other -> other > begin)
            .reduce((begin / SIZE + 1) * SIZE, Math::min);
    return new Range(begin, upper);
  }

  private static long next(long number) {
    return (number / SIZE + 2) * SIZE;
  }
}
