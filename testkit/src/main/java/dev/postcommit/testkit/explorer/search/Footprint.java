package dev.postcommit.testkit.explorer.search;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a step may touch. It decides whether two steps of different actors commute, that is, whether
 * their order can make no difference.
 *
 * <p>It is coarse on purpose. Two statements commute only if both read, or if one reads and the
 * other writes without committing. A commit changes what later snapshots see and frees locks, so it
 * commutes with no statement. Everything that writes is taken to touch the same rows, keys, locks,
 * sequences and the assignment of transaction ids.
 *
 * @param reads whether it takes a snapshot
 * @param writes whether it writes, locks, or uses a sequence
 * @param ends whether it ends a transaction that others can notice
 * @param channel what it uses outside of the database, such as one key of a broker
 * @param everything whether it commutes with nothing
 */
public record Footprint(
    boolean reads, boolean writes, boolean ends, @Nullable String channel, boolean everything) {

  /** Affects nobody else, and is not scheduled. */
  public static final Footprint NONE = new Footprint(false, false, false, null, false);

  static final Footprint READ = new Footprint(true, false, false, null, false);
  static final Footprint WRITE = new Footprint(true, true, false, null, false);
  public static final Footprint END = new Footprint(false, false, true, null, false);
  public static final Footprint EVERYTHING = new Footprint(true, true, true, null, true);

  private static final Pattern SETTINGS_ONLY =
      Pattern.compile("SELECT\\s+(set_config\\([^()]*\\)\\s*,?\\s*)+", Pattern.DOTALL);

  /** Tables and privileges do not change in a run. */
  private static final Pattern CATALOGUE =
      Pattern.compile(
          "SELECT.*\\b(pg_class|pg_attribute|pg_attrdef|pg_index|has_\\w+_privilege|to_regtype)\\b.*",
          Pattern.DOTALL);

  /** Words that make a SELECT more than a read of committed rows. */
  private static final Pattern LOCKS_OR_NUMBERS =
      Pattern.compile(
          "FOR UPDATE|FOR NO KEY UPDATE|FOR SHARE|nextval|setval|last_value|pg_advisory"
              + "|pg_try_advisory|pg_stat_activity|pg_current_xact_id\\(\\)",
          Pattern.CASE_INSENSITIVE);

  public static Footprint channel(String name) {
    return new Footprint(false, false, false, name, false);
  }

  /** Returns what a statement in an open transaction may touch. */
  public static Footprint of(String sql) {
    String text = sql.strip();
    String upper = text.substring(0, Math.min(text.length(), 24)).toUpperCase(Locale.ROOT);
    if (upper.startsWith("BEGIN")
        || upper.startsWith("SAVEPOINT")
        || upper.startsWith("RELEASE SAVEPOINT")
        || upper.startsWith("SET ")
        || upper.startsWith("SHOW ")
        || text.equals("SELECT pg_backend_pid()")
        || CATALOGUE.matcher(text).matches()
        || text.equals("SELECT 1")
        || SETTINGS_ONLY.matcher(text).matches()) {
      return NONE;
    }
    if (upper.startsWith("COMMIT PREPARED") || upper.startsWith("ROLLBACK PREPARED")) {
      return WRITE;
    }
    if (upper.startsWith("COMMIT")
        || upper.startsWith("ROLLBACK")
        || upper.startsWith("PREPARE TRANSACTION")) {
      return END;
    }
    boolean isQuery = upper.startsWith("SELECT") || upper.startsWith("VALUES");
    return isQuery && !LOCKS_OR_NUMBERS.matcher(text).find() ? READ : WRITE;
  }

  /** Returns this footprint as that of a whole transaction. */
  public Footprint committed() {
    return writes ? new Footprint(reads, true, true, channel, everything) : this;
  }

  public boolean isNone() {
    return equals(NONE);
  }

  boolean commutesWith(Footprint other) {
    if (everything || other.everything) {
      return false;
    }
    if (channel != null && channel.equals(other.channel)) {
      return false;
    }
    boolean bothWrite = (writes || ends) && (other.writes || other.ends);
    boolean seesCommit = (reads && other.ends) || (ends && other.reads);
    return !bothWrite && !seesCommit;
  }
}
