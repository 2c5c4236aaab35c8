package dev.postcommit.store;

import dev.postcommit.internal.check.Privileges;
import dev.postcommit.internal.check.Privileges.Task;
import dev.postcommit.layout.Layout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The GRANT statements for the database users of an outbox table: what each needs, and no more.
 * {@link LayoutCheck} asks for the same.
 */
public final class Grants {
  private Grants() {}

  /** Those of a user who writes events with an {@link dev.postcommit.Outbox}. */
  public static List<String> writer(Layout layout, String user) {
    return Privileges.grants(layout, EnumSet.of(Task.WRITE), user);
  }

  /**
   * Those of a relay's user.
   *
   * @param prunes whether the relay also deletes delivered rows when they are old
   */
  public static List<String> relay(Layout layout, boolean prunes, String user) {
    return relay(layout, prunes, false, user);
  }

  /**
   * Those of the user of a relay that may wait for standbys.
   *
   * @param prunes whether the relay also deletes delivered rows when they are old
   * @param waitsForStandbys whether it sends events only when standbys have them
   */
  public static List<String> relay(
      Layout layout, boolean prunes, boolean waitsForStandbys, String user) {
    Set<Task> tasks = EnumSet.of(Task.DELIVER, Task.SHOW);
    if (prunes) {
      tasks.add(Task.PRUNE);
    }
    if (waitsForStandbys) {
      tasks.add(Task.WATCH);
    }
    return Privileges.grants(layout, tasks, user);
  }

  /** Those of a user with whom operators look after the table: see {@link OutboxAdmin}. */
  public static List<String> operator(Layout layout, String user) {
    return Privileges.grants(layout, EnumSet.of(Task.OPERATE), user);
  }
}
