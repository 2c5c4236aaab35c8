package dev.postcommit.internal.store.claimed;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.Takeovers;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The row that a {@linkplain ClaimSql claim} returns.
 *
 * @param claim the number of the claim, or 0 if nothing was taken
 * @param ids the events taken, in order
 * @param isLocked whether the lock was held when rows were picked
 * @param scanned how many rows were scanned from the floor on, or -1 if the batch was full
 * @param ready how many of these could be taken
 * @param finds whether anything could be taken, also if {@code bytes} was 0
 * @param holds whether the hot keys were skipped
 * @param hotKeys the keys with many rows, and the lowest seq of each; empty unless all rows that
 *     could be scanned were
 * @param undecided for how long nothing may be given up
 * @param seen what the floor learns from
 */
record ClaimRow(
    long claim,
    List<String> ids,
    boolean isLocked,
    int scanned,
    int ready,
    boolean finds,
    boolean holds,
    Map<String, Long> hotKeys,
    Duration undecided,
    Floor.Observation seen) {

  /**
   * Reads it.
   *
   * @param rows how many rows the claim could scan
   */
  static ClaimRow read(ResultSet row, int rows) throws SQLException {
    long claim = row.getLong("claim");
    int scanned = row.getInt("scanned");
    long lowestClaim = row.getLong("lowest_claim");
    return new ClaimRow(
        claim,
        Database.ids(row.getArray("ids")),
        row.getBoolean("is_locked"),
        scanned,
        row.getInt("ready"),
        row.getBoolean("finds"),
        row.getBoolean("holds"),
        hotKeys(row.getArray("hot_keys"), row.getArray("hot_lowest")),
        Takeovers.undecided(row, "undecided_millis"),
        new Floor.Observation(
            row.getLong("epoch"),
            lowestClaim == 0 ? claim : lowestClaim,
            row.getLong("lowest_seq"),
            row.getLong("running_xid"),
            row.getLong("own_xid"),
            List.of((Long[]) row.getArray("open_ignored").getArray()),
            new Floor.Beyond(row.getLong("other_lowest"), row.getLong("passed_to"), scanned < rows),
            row.getBoolean("tried"),
            Duration.ofNanos(1_000 * row.getLong("back_micros"))));
  }

  private static Map<String, Long> hotKeys(@Nullable Array keys, @Nullable Array lowest)
      throws SQLException {
    Map<String, Long> hot = new LinkedHashMap<>();
    if (keys != null && lowest != null) {
      String[] names = (String[]) keys.getArray();
      Long[] seqs = (Long[]) lowest.getArray();
      for (int i = 0; i < names.length; i++) {
        hot.put(names[i], seqs[i]);
      }
    }
    return hot;
  }
}
